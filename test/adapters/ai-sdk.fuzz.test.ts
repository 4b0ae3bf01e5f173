import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CallOptions, Content, FinishReason, StreamPart } from '../../src/adapter/ai-sdk/options.ts';
import { mendContent, PartMender } from '../../src/adapter/ai-sdk/part-mender.ts';
import { type VisibleTools, visibleTools } from '../../src/adapter/ai-sdk/visible-tools.ts';
import { runs } from '../sample.ts';

const tools: CallOptions['tools'] = [
  {
    type: 'function',
    name: 'read_file',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        limit: { type: 'integer' },
        lines: { type: 'array', items: { type: 'integer' } },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
];
const shown = visibleTools({ prompt: [], tools }, {}) as VisibleTools;
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/**
 * Arguments whole, with faults, and cut off anywhere: as a model writes them. Text that a program wrote of an object may be
 * the beginning of a call where the answer ended by length, unless its pieces came before.
 */
const given = fc
  .tuple(
    fc.constantFrom(
      '{"path": "a.ts", "limit": 5}',
      "{path: 'a.ts', limit: '5',}",
      '{"path": "a.ts", "lines": "[1, 2]"}',
      '```json\n{"path": "a.ts"}\n```',
      '{"limit": 5}',
      '{"path": "a", "path": "b"}',
      '',
    ),
    fc.option(fc.nat(30), { freq: 3 }),
  )
  .map(([text, cut]) => (cut === null ? text : text.slice(0, cut)));

const content: fc.Arbitrary<Content> = fc.oneof(
  fc
    .tuple(fc.constantFrom('read_file', 'ReadFile', 'default_api:read_file', 'launch', '⚙'), given)
    .map(([toolName, input]): Content => ({ type: 'tool-call', toolCallId: 'c', toolName, input })),
  fc
    .constantFrom(
      'I look. ',
      'a < b {c} [d]',
      '<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>',
      '<tool_call>{"na',
    )
    .map((text): Content => ({ type: 'text', text })),
  fc.constant<Content>({ type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' }),
);

const finishes: FinishReason['unified'][] = ['stop', 'length', 'tool-calls', 'other', 'interrupted', 'content-filter'];

function* partsOf(answer: readonly Content[], size: number): Generator<StreamPart> {
  const pieces = (text: string): string[] => text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
  for (const [index, one] of answer.entries()) {
    if (one.type === 'text') {
      const id = String(index);
      yield { type: 'text-start', id };
      for (const delta of pieces(one.text)) yield { type: 'text-delta', id, delta };
      yield { type: 'text-end', id };
    } else if (one.type === 'tool-call') {
      const id = one.toolCallId;
      yield { type: 'tool-input-start', id, toolName: one.toolName };
      for (const delta of pieces(one.input)) yield { type: 'tool-input-delta', id, delta };
      yield { type: 'tool-input-end', id };
      yield one;
    } else yield one as StreamPart;
  }
}

/** What of an answer counts: its calls, and how it ended. Ids of calls read from words are new each time. */
const callsOf = (answer: readonly { type: string }[]): unknown[] =>
  answer.flatMap((one) => (one.type === 'tool-call' ? [{ ...one, toolCallId: '' }] : []));

it('reads the same calls and end however a response is split', () => {
  fc.assert(
    fc.property(
      fc.array(content, { maxLength: 4 }),
      fc.constantFrom(...finishes),
      fc.integer({ min: 1, max: 9 }),
      (came, unified, size) => {
        const answer = came.map((one, index) => (one.type === 'tool-call' ? { ...one, toolCallId: `c${index}` } : one));
        const finishReason = { unified, raw: undefined };
        const whole = mendContent({ content: answer, finishReason, usage, warnings: [] }, shown);
        const mender = new PartMender(shown);
        const last: StreamPart = { type: 'finish', finishReason, usage };
        const out = [...partsOf(answer, size), last].flatMap((part) => mender.take(part));
        expect(mender.end()).toEqual([]);
        expect(callsOf(out)).toEqual(callsOf(whole.content));
        expect(out.at(-1)).toEqual({ ...last, finishReason: whole.finishReason });
        held(out);
      },
    ),
    { numRuns: runs(500) },
  );
});

/** The SDK's own rules for a stream: what grows or ends has begun, and nothing ends twice or stays open. */
function held(parts: readonly StreamPart[]): void {
  const open = new Map<string, string>();
  for (const part of parts) {
    if (part.type === 'text-start' || part.type === 'tool-input-start') {
      expect(open.has(part.id)).toBe(false);
      open.set(part.id, '');
    } else if (part.type === 'text-delta' || part.type === 'tool-input-delta') {
      expect(open.has(part.id)).toBe(true);
      open.set(part.id, open.get(part.id) + part.delta);
    } else if (part.type === 'text-end') {
      expect(open.delete(part.id)).toBe(true);
    } else if (part.type === 'tool-input-end') {
      expect(open.has(part.id)).toBe(true);
    } else if (part.type === 'tool-call' && open.has(part.toolCallId)) {
      const streamed = open.get(part.toolCallId) ?? '';
      open.delete(part.toolCallId);
      if (!part.providerMetadata?.toolmend)
        expect(JSON.parse(streamed || '{}')).toEqual(JSON.parse(part.input || '{}'));
    }
  }
  expect([...open.keys()]).toEqual([]);
}
