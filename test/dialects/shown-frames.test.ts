/** A section or a frame whose opener is text is text up to its closer: whatever it holds, no row takes a call out of it. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = {
  type: 'object',
  properties: { id: { type: 'integer' }, mode: { type: 'string' } },
  required: ['id'],
} as const;
const toolbox = new Toolbox([
  tool({ name: 'delete_user', description: 'Deletes', effect: 'destructive', inputSchema: input }),
]);
const calls = [{ name: 'delete_user', arguments: { id: 5, mode: 'hard' } }];

const behind = (sign: string) => (call: string) => call.replace(/^/gm, sign);
const first = (sign: string) => (call: string) => sign + call;
/** The opener in a line of its own, and the rest below it. */
const apart = (sign: string) => (call: string) =>
  call.startsWith('<|start|>') ? sign + call : sign + call.replace(/^([^>\]]*[>\]]\n?)/, '$1\n').replace('\n\n', '\n');
const around = (open: string, close: string) => (call: string) => `${open}\n${call}\n${close}`;

const prefixes = ['// ', '//', '# ', '-- ', '+', '+ ', '| ', '12: ', '12→', '  7 | ', '> ', ';; ', '% '];
const shapes: readonly (readonly [string, (call: string) => string])[] = [
  ...prefixes.map((sign) => [`each line behind ${sign}`, behind(sign)] as const),
  ...['// ', '# ', '-- ', '+', '12: ', '12→', '> '].map(
    (sign) => [`the first line behind ${sign}`, first(sign)] as const,
  ),
  ...['// ', '# ', '> ', '('].map((sign) => [`the opener alone behind ${sign}`, apart(sign)] as const),
  ['a block comment with stars', (call) => `/**\n${behind(' * ')(call)}\n */`],
  ['a block comment', around('/*', '*/')],
  ['a comment of Lua', around('--[[', ']]')],
  ['a comment of Haskell', around('{-', '-}')],
  ['BBCode', around('[code]', '[/code]')],
  ['results of another row', around('[TOOL_RESULTS]', '[/TOOL_RESULTS]')],
  ['results that never close', (call) => `<tool_response>\n${call}`],
  ['reasoning of another row that never closes', (call) => `<scratchpad>\n${call}`],
];

const rows = dialects.filter(({ forms, frame }) => frame || forms.some(({ bare, open }) => !bare && /[<[]/.test(open)));

describe('calls whose opener is text, in every dialect', () => {
  it.each(shapes)('in %s', (_, shape) => {
    const wrong = rows.flatMap(({ name }) => {
      const text = shape(renderCalls(calls, name, toolbox));
      // A token that ends messages is no text at the very end.
      const end = /<\|(?:end_message|eom|call)\|>$/.exec(text)?.[0] ?? '';
      const texts = [text, text.slice(0, text.length - end.length)];
      return [name, 'auto'].flatMap((dialect) =>
        [undefined, 7].flatMap((chunk) => {
          const read = readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) });
          return read.calls.length > 0 || !texts.includes(read.text) ? [`${name}, read as ${dialect}`] : [];
        }),
      );
    });
    expect(wrong).toEqual([]);
  });
});
