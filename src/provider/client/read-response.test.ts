import { describe, expect, it } from 'vitest';
import { sniff } from './read-response.ts';

describe('what a body is', () => {
  const rows = [
    ['sse', 'data: {"a":1}\n\n', 'stream'],
    ['sse', '\uFEFFevent: x\n', 'stream'],
    ['sse', ': keep-alive\n\n', 'stream'],
    ['sse', '\r\n\r\ndata:{}', 'stream'],
    ['sse', '{"id": "x"}', 'whole'],
    ['sse', '[{"candidates": []}]', 'whole'],
    ['ndjson', '{"message":{}}\n', 'stream'],
    ['sse', '<!doctype html>', 'html'],
    ['ndjson', '<html>', 'html'],
    ['sse', 'Bad Gateway', 'other'],
    ['ndjson', 'data: {}\n\n', 'other'],
    ['sse', '', 'other'],
  ] as const;

  it.each(rows)('%s: %j', (framing, text, kind) => {
    const bytes = new TextEncoder().encode(text);
    expect(sniff(framing, bytes, true)).toBe(kind);
    // However it is cut, it is known when it is known, and never as something else before.
    for (let end = 0; end < bytes.length; end += 1)
      expect([undefined, kind]).toContain(sniff(framing, bytes.subarray(0, end), false));
  });

  it('compressed bytes are known by their first two', () => {
    expect(sniff('sse', new Uint8Array([0x1f, 0x8b, 8]), false)).toBe('compressed');
  });
});
