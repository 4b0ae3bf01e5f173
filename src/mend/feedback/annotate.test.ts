import { describe, expect, it } from 'vitest';
import { describe as put } from '../../schema/validate/messages.ts';
import { annotate } from './annotate.ts';

describe('mark', () => {
  it('C1 marks items of a list and leaves out the good ones', () => {
    const edits = Array.from({ length: 6 }, (_, index) => ({ path: `f${index}`, n: 1 }));
    expect(
      annotate({ edits }, [
        put({ path: ['edits', 2, 'n'], code: 'maximum', want: 0, received: 1 }),
        put({ path: ['edits', 3, 'find'], code: 'required', want: {}, received: undefined }),
      ]),
    ).toBe(`{
  "edits": [
    … 2 items
    {
      "path": "f2"
      "n": 1  ← must be at most 0, got 1
    }
    {
      "path": "f3"
      "n": 1
      "find": (missing)  ← is required but missing
    }
    … 2 items
  ]
}`);
  });

  it('C1 marks faults inside of text behind the text, and those of the whole behind the whole', () => {
    expect(annotate('{"a":1}', [put({ path: ['a'], code: 'type', want: ['string'], received: 1 })])).toBe(
      '"{\\"a\\":1}"  ← expected string, got number',
    );
    expect(annotate([1], [put({ path: [], code: 'type', want: ['object'], received: [1] })])).toBe(
      '[1]  ← expected object, got array',
    );
  });

  it('C1 shortens long strings', () => {
    const text = annotate({ a: 'x'.repeat(5000), b: 1 }, [
      put({ path: ['b'], code: 'type', want: ['string'], received: 1 }),
    ]);
    expect(text).toContain('(5000 characters)');
    expect(text.length).toBeLessThan(200);
  });
});
