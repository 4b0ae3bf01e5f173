/** The opener of a section and the one of a call behind it, in inline code: they are spoken of, whatever follows. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { path: { type: 'string' } } } as const;
const toolbox = new Toolbox([
  tool({ name: 'read_file', description: 'Reads', effect: 'read', inputSchema: input }),
  tool({ name: 'delete_file', description: 'Deletes', effect: 'destructive', inputSchema: input }),
]);

const filled = (template: string, name: string): string =>
  template
    .replace(/\{(?:name|tool)\}/g, name)
    .replace('{attrs}', ' index="1"')
    .replace(/\{\w+\}|~|\n[\s\S]*$/g, '');
const openers = dialects.flatMap(({ name, sections = [], forms }) =>
  sections.flatMap(([section]) =>
    forms
      .filter(({ body, open }) => body === 'params' && open !== section)
      .map(
        ({ open, param = '' }) =>
          [
            name === 'muse-glimmer' ? 'guard: ' : '',
            name,
            filled(section, ''),
            open,
            param.split('{value}')[0] ?? '',
          ] as const,
      ),
  ),
);
const sentences: readonly ((code: string) => string)[] = [
  (code) => `Grep for \`${code}\` in the trace, then stop.`,
  (code) => `The pair \`${code}\` opens a call. See chapter 4.`,
  (code) => `Search \`\`${code}\`\` in the log.\n\nNothing else is needed.`,
  (code) => `- \`${code}\`: opens a call\n- the closer ends it`,
];

describe('in inline code', () => {
  it.each(openers)('%s%s: %s%s', (_, dialect, section, open, param) => {
    for (const name of ['read_file', 'delete_file']) {
      const codes = [section + filled(open, name), `${section + filled(open, name) + param.replace('{key}', 'path')}a`];
      for (const code of codes) {
        for (const put of sentences) {
          const written = put(code);
          for (const options of [{}, { dialect }, { dialect, chunk: 3 }]) {
            const { text, calls } = readCalls(written, toolbox, options);
            expect([text, calls]).toEqual([written, []]);
          }
        }
      }
    }
  });
});

describe('openers followed by prose', () => {
  it.each([
    ['hermes', 'A call begins with <tool_call>{"name": "read_file" and so on, up to the closing tag.'],
    ['react', 'Action: none\nAction Input: none'],
    ['react', 'Action: None\nAction Input: N/A'],
  ])('%s: %j', (dialect, written) => {
    const { text, calls } = readCalls(written, toolbox, { dialect });
    expect(calls).toEqual([]);
    expect(written.endsWith(text)).toBe(true);
  });
});
