import { isObject, type JsonValue } from '../json/value.ts';
import { exampleOf } from '../mend/feedback/example.ts';
import type { Tool } from '../tools/tool.ts';
import { checkIsToolbox, offeredTools, type Toolbox } from '../tools/toolbox.ts';
import { commonDialect } from './dialects/index.ts';
import { renderCalls } from './render.ts';
import type { Dialect } from './types.ts';

/**
 * A prompt that tells a model without native calls how to call: the tools, the format and an example. `readCalls` reads
 * the result in the same dialect.
 *
 * @param dialect the format of calls; by default one that many models know
 */
export function toolPrompt(toolbox: Toolbox, dialect: string | Dialect = commonDialect): string {
  checkIsToolbox(toolbox);
  const tools = offeredTools(toolbox);
  const [first] = tools;
  if (!first) return '';
  const described = tools.map(({ name, description, schema }) =>
    JSON.stringify({ name, description, parameters: schema.json ?? { type: 'object' } }),
  );
  return [
    'You can call these tools:',
    ...described,
    '',
    'To call a tool, write the call exactly in this format, and nothing after it:',
    renderCalls([exampleCall(first)], dialect, toolbox),
    '',
    'Several calls are written one after the other in the same manner. Wait for their results before you go on.',
    'If no tool is needed, answer without a call.',
  ].join('\n');
}

/**
 * An example must read back as the call it shows, so placeholders in angle brackets, which calls must not contain, are
 * replaced.
 */
function exampleCall({ name, schema }: Tool): { name: string; arguments: Record<string, JsonValue> } {
  const written = JSON.stringify(schema.json === undefined ? {} : exampleOf(schema.json));
  const example: unknown = JSON.parse(written.replace(/"<([^"<>]*)>"/g, '"($1)"'));
  return { name, arguments: isObject(example) ? example : {} };
}
