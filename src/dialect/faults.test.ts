import { describe, expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { CallReader } from './call-reader.ts';
import { readCalls } from './read-calls.ts';

const properties = { path: { type: 'string' }, content: { type: 'string' } } as const;
const toolbox = new Toolbox([
  tool({ name: 'write', description: 'Writes', inputSchema: { type: 'object', properties } }),
]);

const call = (given: object): string => `<tool_call>${JSON.stringify({ name: 'write', arguments: given })}</tool_call>`;

/** Reads a text given in these pieces. */
function inPieces(...pieces: string[]) {
  const reader = new CallReader(toolbox);
  const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { text, calls: reader.calls };
}

describe('observed faults in text', () => {
  it('C7 separates two calls in one stream where each is complete', () => {
    const text = call({ path: 'a' }) + call({ path: 'b' });
    for (const chunk of [1, 7, text.length]) {
      const { calls } = readCalls(text, toolbox, { chunk });
      expect(calls.map(({ input }) => input)).toEqual([{ path: 'a' }, { path: 'b' }]);
    }
  });

  it('C17 joins a character that is split between two pieces, and accepts CR LF', () => {
    const text = `Now:\r\n${call({ content: '👩‍💻 done\r\n' }).replace('{', '{\r\n')}\r\n`;
    const at = text.indexOf('👩') + 1;
    expect(inPieces(text.slice(0, at), text.slice(at))).toEqual(inPieces(text));
    expect(inPieces(text)).toMatchObject({ calls: [{ status: 'ok', input: { content: '👩‍💻 done\r\n' } }] });
  });

  it('C18 reports an unclosed call as truncated, whatever the finish reason', () => {
    const text = call({ path: 'a', content: 'half of it' });
    const { calls } = readCalls(text.slice(0, text.indexOf('of it')), toolbox, { truncated: false });
    expect(calls).toMatchObject([{ status: 'invalid', errorType: 'truncated', name: 'write' }]);
  });

  it('F4 reads a text the same however it is split, with a byte-order mark and without a closing tag', () => {
    const text = `\ufeffFirst, ${call({ path: 'a', content: 'x "y" </tool_call> z' }).slice(0, -'</tool_call>'.length)}`;
    const whole = inPieces(text);
    expect(whole.calls).toMatchObject([{ input: { path: 'a', content: 'x "y" </tool_call> z' } }]);
    for (let at = 1; at < text.length; at++) expect(inPieces(text.slice(0, at), text.slice(at))).toEqual(whole);
  });

  it('F4 F29 reads a line of 10 MB, and keeps a longer one as text', () => {
    const long = 'x'.repeat(10 * 1024 * 1024);
    expect(readCalls(call({ content: long }), toolbox).calls[0]?.status).toBe('ok');
    const { calls, text, notes } = readCalls(call({ content: long + long }), toolbox);
    expect(calls).toEqual([]);
    expect(text === call({ content: long + long })).toBe(true);
    expect(notes).toEqual([expect.stringContaining('longer than')]);
  });
});
