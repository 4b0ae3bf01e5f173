import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, string, strings } from './mend-with.ts';

const fields = closed({ title: string, text: string, tags: strings, n: integer, price: { type: 'number' } });

describe('a quote after a number without quotes: closing quote, or inches, feet, seconds', () => {
  it.each([
    ['{title: Screen, text: 27"}'],
    ['{"title": "Screen", "text": 27"}'],
    ['{"title": "Screen", "text": 27 "}'],
    ['{title: Door, text: 6\'8"}'],
    ['{title: Pipe, text: 1/2"}'],
    ['{title: Pipe, text: 3.5"}'],
    ['{title: Pipe, text: ½"}'],
    ['{title: Sheet, text: 4x8"}'],
    ['{title: Lat, text: 48°51\'24"}'],
    ['{title: 27", text: monitor}'],
    ['{"title": a screen of 27", "text": "x"}'],
    ["{'title': 'Height', 'text': 6'}"],
    ['{"title": "a", "price": 27"}'],
    ['{"title": "a", "n": 5"}'],
  ])('%s is refused', (args) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });
});

describe('guard: a quote after a word without its opening quote', () => {
  it.each([
    ['{"title": "a", "text": hello"}', 'hello'],
    ['{"text": src/v2", "n": 5}', 'src/v2'],
    ['{"text": report_2024", "n": 5}', 'report_2024'],
  ])('%s is inferred', (args, text) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'mended', input: { text } });
    expect(mendWith(fields, args, { effect: 'destructive' }).status).toBe('invalid');
  });
});
