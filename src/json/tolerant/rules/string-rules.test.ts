import { describe, expect, it } from 'vitest';
import { newEscapes } from '../escapes.ts';
import type { OpenString } from '../state.ts';
import { noteInnerQuote, quotesPairUp } from './string-rules.ts';

/** The quotes inside a text, as the reader notes them. */
const inner = (text: string, quote = '"', inList = false): OpenString => {
  const string = {
    quote,
    text,
    inList,
    escapes: newEscapes(),
    inner: { count: 0, paired: true, opens: false },
  } as unknown as OpenString;
  for (let at = 0; at < text.length; at += 1)
    if (text[at] === quote) noteInnerQuote(string, text[at - 1], text[at + 1], quote);
  return string;
};

describe('quotesPairUp', () => {
  it.each(['say "hi" now', '"hi" there', 'both "a" and "b"', 'the ("x") one'])('pairs: %s', (text) => {
    expect(quotesPairUp(inner(text))).toBe(true);
    expect(quotesPairUp(inner(text, '"', true))).toBe(true);
  });

  it.each(['say "hi now', 'a" b"c', 'x"y', 'one "a" and "b', '"a b c"'])('does not pair: %s', (text) => {
    expect(quotesPairUp(inner(text))).toBe(false);
    expect(quotesPairUp(inner(text, '"', true))).toBe(false);
  });

  it('takes a single one after a word, but not in a list', () => {
    expect(quotesPairUp(inner('a 6" pipe'))).toBe(true);
    expect(quotesPairUp(inner('a 6" pipe', '"', true))).toBe(false);
  });

  it.each(['Paris"', 'Paris", ', 'x"}'])('takes no single one with nothing behind it: %s', (text) => {
    expect(quotesPairUp(inner(text))).toBe(false);
  });

  it('takes an apostrophe for what it is', () => {
    expect(inner("it's Bob's", "'").inner.count).toBe(0);
    expect(inner("say 'hi'", "'").inner.count).toBe(2);
  });
});
