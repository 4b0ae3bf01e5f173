import { describe, expect, it } from 'vitest';
import type { CallOptions, Content, FinishReason, StreamPart } from './options.ts';
import { mendContent, PartMender } from './part-mender.ts';
import { type VisibleTools, visibleTools } from './visible-tools.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const params: CallOptions = {
  prompt: [],
  tools: [
    {
      type: 'function',
      name: 'read_file',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, limit: { type: 'integer' } },
        required: ['path'],
      },
    },
    { type: 'provider', id: 'acme.shell', name: 'shell', args: {} },
  ],
};

const shown = (more: Partial<CallOptions> = {}): VisibleTools =>
  visibleTools({ ...params, ...more }, {}) as VisibleTools;

const finish = (unified: FinishReason['unified'] = 'stop'): StreamPart => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw: 'end_turn' },
});

const text = (words: string, id = '0'): StreamPart[] => [
  { type: 'text-start', id, providerMetadata: { acme: { at: 'start' } } },
  ...[...words].map((delta): StreamPart => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id, providerMetadata: { acme: { at: 'end' } } },
];

const call = (toolName: string, input: string, more: object = {}): StreamPart[] => [
  { type: 'tool-input-start', id: 'c1', toolName, ...more },
  ...(input.match(/.{1,10}/gs) ?? []).map((delta): StreamPart => ({ type: 'tool-input-delta', id: 'c1', delta })),
  { type: 'tool-input-end', id: 'c1' },
  { type: 'tool-call', toolCallId: 'c1', toolName, input, ...more },
];

function mended(parts: readonly StreamPart[], by: VisibleTools = shown()): StreamPart[] {
  const mender = new PartMender(by);
  return [...parts.flatMap((part) => mender.take(part)), ...mender.end()];
}

/** Parts that are neither text nor calls, of each kind there is. */
const others: StreamPart[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'response-metadata', id: 'r1', modelId: 'm' },
  { type: 'raw', rawValue: { any: ['thing'] } },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: '<tool_call>{"name": "read_file"' },
  { type: 'reasoning-end', id: 'r', providerMetadata: { acme: { signature: 's' } } },
  { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
  { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
  { type: 'custom', kind: 'acme.thing' },
  { type: 'tool-input-start', id: 'p1', toolName: 'web_search', providerExecuted: true },
  { type: 'tool-input-delta', id: 'p1', delta: "{q: 'a'" },
  { type: 'tool-input-end', id: 'p1' },
  { type: 'tool-call', toolCallId: 'p1', toolName: 'web_search', input: "{q: 'a'", providerExecuted: true },
  { type: 'tool-result', toolCallId: 'p1', toolName: 'web_search', result: {} },
  { type: 'tool-input-start', id: 'p2', toolName: 'shell', inputEncoding: 'text' },
  { type: 'tool-input-delta', id: 'p2', delta: 'ls' },
  { type: 'tool-input-end', id: 'p2' },
  { type: 'tool-call', toolCallId: 'p2', toolName: 'shell', input: '"ls"' },
  { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'p1' },
  { type: 'ping' },
  { type: 'error', error: new Error('some') },
];

describe('PartMender', () => {
  it('forwards parts that need no mending in order, as the same objects', () => {
    const parts = [
      ...others,
      ...text('a < b and {c}'),
      ...call('read_file', '{"path":"a.ts"}'),
      ...others,
      finish('tool-calls'),
    ];
    const out = mended(parts);
    expect(out).toEqual(parts);
    const same = parts.filter((part, index) => part === out[index]).length;
    // Only a call's own parts, and the last, are written anew.
    expect(parts.length - same).toBe(call('read_file', '{"path":"a.ts"}').length + 1);
  });

  it('forwards valid arguments as they stream, and buffers from the first fault on', () => {
    const mender = new PartMender(shown());
    const out = call('readFile', '{"path":"a long name indeed","limit":"5"}').map((part) => mender.take(part).length);
    expect(out).toEqual([1, 1, 1, 0, 0, 0, 0, 3]);
  });

  it('C13 mends a name when the call is announced, and keeps the other fields', () => {
    const more = { providerMetadata: { acme: { id: 7 } } };
    const out = mended([...call('default_api:read_file', "{path: 'a.ts'}", more), finish('tool-calls')]);
    expect(out[0]).toEqual({ type: 'tool-input-start', id: 'c1', toolName: 'read_file', ...more });
    expect(out.at(-2)).toEqual({
      type: 'tool-call',
      toolCallId: 'c1',
      toolName: 'read_file',
      input: '{"path":"a.ts"}',
      ...more,
    });
    const deltas = out.flatMap((part) => (part.type === 'tool-input-delta' ? [part.delta] : []));
    expect(JSON.parse(deltas.join(''))).toEqual({ path: 'a.ts' });
  });

  it('forwards a call that arrived in one piece in one piece', () => {
    const out = mended([
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: "{path: 'a.ts'}" },
      finish('tool-calls'),
    ]);
    expect(out.map(({ type }) => type)).toEqual(['tool-call', 'finish']);
    expect(out[0]).toMatchObject({ input: '{"path":"a.ts"}' });
  });

  const words = 'I look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>';

  it('C6 converts a call in text, and keeps the fields of the surrounding text', () => {
    const out = mended([...text(words), ...others.slice(0, 3), finish('stop')]);
    const said = out.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])).join('');
    expect(said.trim()).toBe('I look.');
    const kinds = out.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
    expect(kinds).toEqual([
      'text-start',
      'text-delta',
      'text-end',
      'stream-start',
      'response-metadata',
      'raw',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ]);
    expect(out.find(({ type }) => type === 'text-end')).toMatchObject({
      id: '0',
      providerMetadata: { acme: { at: 'end' } },
    });
    expect(out.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls', raw: 'end_turn' } });
  });

  it.each([
    { what: 'the answer is to be JSON', more: { responseFormat: { type: 'json' } } as Partial<CallOptions> },
    { what: 'no call is wanted', more: { toolChoice: { type: 'none' } } as Partial<CallOptions> },
  ])('leaves text unchanged if $what', ({ more }) => {
    const parts = [...text(words), finish()];
    expect(mended(parts, shown(more))).toEqual(parts);
  });

  it('S4.4 drops a call without a name if the response has other content', () => {
    expect(mended([...text('Well.'), ...call('⚙', '{}'), finish('tool-calls')])).toEqual([
      ...text('Well.'),
      finish('stop'),
    ]);
  });

  it('S4.4 forwards a call without a name to the SDK if the response has nothing else, because the run would not end otherwise', () => {
    const out = mended([...text(''), ...call('⚙', '{}'), finish('tool-calls')]);
    expect(out.map(({ type }) => type)).toEqual(['text-start', 'text-end', 'tool-call', 'finish']);
    expect(out.at(-1)).toEqual(finish('tool-calls'));
  });

  it.each(['stop', 'tool-calls'] as const)(
    'checks a call by the finish reason that ended the stream, not by a later %s',
    (later) => {
      const out = mended([...call('read_file', '{"path":"a.ts"'), finish('length'), finish(later)]);
      expect(out.filter(({ type }) => type === 'finish')).toHaveLength(1);
      expect(out.find(({ type }) => type === 'tool-call')).toMatchObject({
        input: '{"path":"a.ts"',
        providerMetadata: { toolmend: { finish: 'length' } },
      });
    },
  );

  it('C2 forwards a truncated call unchanged, and the complete call before it can run', () => {
    const cut = '{"path": "a.t';
    const second: StreamPart = { type: 'tool-call', toolCallId: 'c2', toolName: 'read_file', input: cut };
    const out = mended([...call('read_file', '{"path":"a.ts"}'), second, finish('length')]);
    expect(out.at(-2)).toMatchObject({ ...second, providerMetadata: { toolmend: { input: cut, finish: 'length' } } });
    expect(out.at(-1)).toEqual(finish('tool-calls'));
    expect(mended([second, finish('length')]).at(-1)).toEqual(finish('length'));
  });

  it('C2 closes no part of a stream that was interrupted', () => {
    const open: StreamPart = { type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: '{"path": "a.ts"' };
    const out = mended([open, finish('interrupted')]);
    expect(out).toMatchObject([{ input: '{"path": "a.ts"' }, finish('interrupted')]);
  });

  it('F1 releases buffered parts if a stream ends without a finish part, and makes no call of them', () => {
    const out = mended(text(words).slice(0, -1));
    expect(out.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])).join('')).toBe(words);
    expect(out.some(({ type }) => type === 'tool-call' || type === 'finish')).toBe(false);
  });
});

describe('mendContent', () => {
  const result = (content: Content[], unified: FinishReason['unified'] = 'stop') => ({
    content,
    usage,
    warnings: [],
    finishReason: { unified, raw: 'end_turn' },
  });
  const native: Content = { type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: '{"path":"a.ts"}' };
  const content: Content[] = [
    { type: 'reasoning', text: 'Hm.', providerMetadata: { acme: { signature: 's' } } },
    { type: 'text', text: 'I look.', providerMetadata: { acme: { id: 1 } } },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
    { type: 'tool-call', toolCallId: 'p1', toolName: 'web_search', input: '{q', providerExecuted: true },
    native,
    { type: 'tool-call', toolCallId: 'p2', toolName: 'shell', input: '"ls"' },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
  ];

  it('leaves parts that need no mending unchanged and in place', () => {
    expect(mendContent(result(content, 'tool-calls'), shown())).toEqual({
      content,
      finishReason: { unified: 'tool-calls', raw: 'end_turn' },
    });
  });

  it('mends a call in place', () => {
    const bad = content.map((one) =>
      one === native ? { ...native, toolName: 'ReadFile', input: "{path: 'a.ts'}" } : one,
    );
    expect(mendContent(result(bad), shown())).toEqual({
      content,
      finishReason: { unified: 'tool-calls', raw: 'end_turn' },
    });
  });

  it('distinguishes different calls with the same id', () => {
    const { content: out } = mendContent(result([native, { ...native, input: '{"path":"b.ts"}' }]), shown());
    expect(new Set(out.map((one) => (one as typeof native & { toolCallId: string }).toolCallId)).size).toBe(2);
  });
});

it('keeps equal items that are no calls, and the finish reason', () => {
  const source: Content = { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' };
  const content = [source, { ...source }, { ...source, title: 'Other' }];
  const finishReason: FinishReason = { unified: 'tool-calls', raw: undefined };
  expect(mendContent({ content, finishReason, usage, warnings: [] }, shown())).toEqual({ content, finishReason });
});
