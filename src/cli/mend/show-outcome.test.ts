import { describe, expect, it } from 'vitest';
import { colour } from '../terminal/colour.ts';
import { showOutcome } from './show-outcome.ts';

const page = { paint: colour({}, {}), width: 43 };

describe('showOutcome', () => {
  it('sets before and after beside each other, with every repair below', () => {
    const shown = showOutcome(
      {
        status: 'mended',
        before: '{n: "5"}',
        input: { n: 5 },
        repairs: [
          { path: ['n'], kind: 'quote', before: 'n', certainty: 'lossless' },
          { path: ['n'], kind: 'type', before: '5', after: 5, certainty: 'inferred' },
        ],
        problems: [],
        note: "Unknown parameter 'x' was ignored",
      },
      page,
    );
    expect(shown).toBe(`written              │ mended
{n: "5"}             │ {"n":5}

lossless  n: fixed quotes, "n"
inferred  n: changed the type, "5" → 5

message to the model
│ Unknown parameter 'x' was ignored
`);
  });

  it('F24 shows the feedback for a refused call, without control characters from the model', () => {
    const shown = showOutcome(
      {
        status: 'invalid',
        before: '\u001b[2J{',
        input: undefined,
        repairs: [],
        problems: [],
        feedback: 'Fix\u0007 it',
      },
      page,
    );
    expect(shown).toBe(`written              │ refused
\\u001b[2J{           │ (not run)

message to the model
│ Fix\\u0007 it
`);
  });

  it('stays short for a megabyte', () => {
    const text = 'x'.repeat(1_000_000);
    const repairs = Array.from(
      { length: 500 },
      () => ({ path: ['a'], kind: 'comma', before: text, certainty: 'lossless' }) as const,
    );
    const shown = showOutcome({ status: 'mended', before: text, input: { text }, repairs, problems: [] }, page);
    expect(shown.length).toBeLessThan(10_000);
    expect(shown).toContain('… and 480 more');
  });
});
