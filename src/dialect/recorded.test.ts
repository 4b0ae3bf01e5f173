import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { equal } from '../json/value.ts';
import { toolFromMcp } from '../tools/tool-from-mcp.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { readCalls } from './read-calls.ts';

const folder = new URL('../../../shared/dialects/', import.meta.url);
const lines = (file: string): Recorded[] =>
  existsSync(new URL(file, folder))
    ? readFileSync(new URL(file, folder), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Recorded)
    : [];

interface Recorded {
  readonly id: string;
  readonly format: string;
  readonly raw: string;
  readonly tools?: readonly Parameters<typeof toolFromMcp>[0][];
  readonly reasoning_open?: boolean;
  readonly expected_calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly expected_content?: string;
  readonly content_strict?: boolean;
}

const read = ({ raw, tools = [], format, reasoning_open }: Recorded, chunk?: number) => {
  const toolbox = tools.length
    ? new Toolbox(
        tools.map((one) => toolFromMcp(one, { trusted: true })),
        { validate: false },
      )
    : undefined;
  return readCalls(raw, toolbox, { dialect: format, reasoningOpen: reasoning_open === true, ...(chunk && { chunk }) });
};

const right = (one: Recorded, { calls }: ReturnType<typeof read>): boolean =>
  calls.length === one.expected_calls.length &&
  one.expected_calls.every((want, index) => {
    const given = typeof want.arguments === 'string' ? JSON.parse(want.arguments) : (want.arguments ?? {});
    return calls[index]?.name === want.name && equal(calls[index]?.input, given);
  });

const markers =
  /<\|?(\/?)((?:\w+:)?tool_calls?|function|parameter|arg_key|arg_value|invoke)(?:=[^<>\s]*)?|\[TOOL_CALLS\]|<｜/g;

/** Markers that have lost their other half, in their order. */
function tornIn(text: string): string {
  const open: string[] = [];
  for (const [marker, slash, name = marker] of text.matchAll(markers)) {
    if (slash && open.at(-1) === name) open.pop();
    else open.push(name);
  }
  return open.join(' ');
}

describe.skipIf(lines('cases.jsonl').length === 0)('recorded texts', () => {
  it.each([undefined, 1, 3, 7, 64])('guard: 99 % of calls and 98 % of texts match, in pieces of %s', (chunk) => {
    const cases = lines('cases.jsonl');
    const strict = cases.filter(({ content_strict }) => content_strict);
    const calls = cases.filter((one) => right(one, read(one, chunk))).length / cases.length;
    const texts =
      strict.filter((one) => read(one, chunk).text.trim() === (one.expected_content ?? '').trim()).length /
      strict.length;
    expect(calls).toBeGreaterThanOrEqual(0.99);
    expect(texts).toBeGreaterThanOrEqual(0.98);
  });

  it('damaged texts stay unchanged or leak no partial marker, also in pieces', () => {
    for (const one of lines('robustness.jsonl')) {
      const whole = read(one);
      // Without a call the text is left as it came; beside one, no opener is left without its closer.
      if (whole.calls.length === 0 && tornIn(one.raw) !== '') expect([one.raw, ''], one.id).toContain(whole.text);
      else expect(tornIn(whole.text), one.id).toBe('');
      for (const chunk of [1, 3, 7, 64]) expect(read(one, chunk).text, one.id).toBe(whole.text);
    }
  });
});
