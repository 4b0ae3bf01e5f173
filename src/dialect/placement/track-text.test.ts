import { describe, expect, it } from 'vitest';
import { workOf } from '../../../test/work-of.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';

const toolbox = new Toolbox([tool({ name: 'search', description: 'Searches' })]);
const call = '<tool_call>{"name": "search", "arguments": {}}</tool_call>';
const filler = 'A line of text, with <b>tags</b> and (brackets).\n'.repeat(60);

/** What is open around the call, and how it is closed. */
const blocks = [
  ['a fence', '```xml\n', '```\n'],
  ['a longer fence', '~~~~\n', '~~~~\n'],
  ['reasoning', '<scratchpad>\n', '</scratchpad>\n'],
  ['a comment', '<!--\n', '-->\n'],
] as const;

describe.each(['auto', 'hermes'])('text longer than the limit, %s', (dialect) => {
  const countOf = (text: string, chunk: number): number =>
    readCalls(text, toolbox, { dialect, chunk, limit: 500 }).calls.length;

  it.each(blocks)('remembers %s', (_, open, close) => {
    for (const chunk of [1, 7, 64, 1000, 10_000]) {
      expect(countOf(`Look:\n\n${open}${filler}${call}\n${close}`, chunk)).toBe(0);
      expect(countOf(`Look:\n\n${open}${filler}${close}\n${call}`, chunk)).toBe(1);
    }
  });
});

describe.each(['auto', 'hermes'])('results before more text than the limit, %s', (dialect) => {
  it.each(['', '</tool_response>\n'])('are remembered: %j', (close) => {
    for (const chunk of [1, 64, 10_000]) {
      const text = `Look:\n\n<tool_response>\n${filler}${close}${call}`;
      expect(readCalls(text, toolbox, { dialect, chunk, limit: 500 }).calls).toEqual([]);
    }
  });
});

describe('text without a marker', () => {
  const texts = {
    prose: 'The quick brown fox (or so they say) jumps over "the lazy dog".\n',
    HTML: '<div class="card">\n  <p>See <a href="/faq?id=4">the list</a>.</p>\n</div>\n',
    code: '```js\nfor (const one of list) out.push(`item "$one"`);\n```\n',
  };

  it.each(Object.entries(texts))('guard: costs the same in a megabyte of %s as in 64 KB', (_, line) => {
    const work = (size: number): number => workOf(() => readCalls(line.repeat(size / line.length), toolbox)) / size;
    expect(work(2 ** 20)).toBeLessThan(1.1 * work(2 ** 16));
  });
});
