import type { ToolSpec } from '../../src/model/index.ts';
import type { CallStory } from '../run/call-story.ts';

/** A call as a regression test: what was written, and the expected result. */
export function testCase(judged: NonNullable<CallStory['judged']>, tool: ToolSpec | undefined): string {
  const status = { 'call.accepted': 'ok', 'call.mended': 'mended', 'call.refused': 'invalid' }[judged.type];
  const refused = judged.type === 'call.refused';
  const expected = refused
    ? `expect(outcome.problems.map(({ path, code }) => ({ path, code }))).toEqual(${code(judged.problems.map(({ path, code }) => ({ path, code })))});`
    : `expect(outcome.input).toEqual(${code(judged.input)});`;
  // Without a schema in the log, the test needs the toolbox to be filled in.
  const [imports, toolbox] = tool
    ? [
        `import { mend, Toolbox, toolFromMcp } from 'toolmend';`,
        `  const toolbox = new Toolbox([toolFromMcp(${code({ name: tool.name, description: tool.description ?? '', inputSchema: tool.schema })})]);\n`,
      ]
    : [`import { mend } from 'toolmend';\nimport { toolbox } from './toolbox.ts';`, ''];
  return `${imports}
import { expect, it } from 'vitest';

it(${code(`${judged.name} is ${status}`)}, () => {
${toolbox}  const call = ${code({ name: judged.call.name, arguments: judged.call.arguments })};
  const outcome = mend(call, toolbox);
  expect(outcome.status).toBe('${status}');
  ${expected}
});
`;
}

/** A value as source text; JSON is that, but for two line ends that old readers stumble over. */
const code = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? 'undefined')
    .replace(/[\u2028\u2029]/g, (char) => (char === '\u2028' ? '\\u2028' : '\\u2029'))
    .replaceAll('\n', '\n  ');
