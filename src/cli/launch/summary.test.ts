import { describe, expect, it } from 'vitest';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { RequestRecord } from '../../proxy/observe/request-record.ts';
import { countSession, shortenedPrompt, summaryLine, summaryLines } from './summary.ts';

const record = (own: Partial<RequestRecord> = {}): RequestRecord => ({
  id: 'tm_1',
  at: 0,
  ms: 1,
  own: 0,
  method: 'POST',
  path: '/v1/messages',
  status: 200,
  left: false,
  model: 'm',
  upstream: 'u',
  client: 'anthropic',
  wire: 'openai-chat',
  streamed: true,
  tools: [],
  calls: [],
  warnings: [],
  ...own,
});
const call = (status: 'ok' | 'mended' | 'invalid', retried?: number): CheckedCall =>
  ({ outcome: { status }, ...(retried !== undefined && { retried }) }) as unknown as CheckedCall;

/** A request with a text of this many characters, for which the server counted tokens. */
const prompt = (characters: number, tokens: number | undefined, text = 'word '): RequestRecord =>
  record({
    question: () => ({
      model: 'm',
      messages: [{ role: 'user', parts: [{ type: 'text', text: text.repeat(characters / text.length) }] }],
    }),
    response: {
      message: { role: 'assistant', parts: [] },
      finish: 'stop',
      ...(tokens !== undefined && { usage: { input: tokens } }),
    },
  });

describe('the summary', () => {
  it('counts calls by what became of them', () => {
    const counter = countSession();
    counter.add(record({ calls: [call('ok'), call('mended'), call('mended', 1), call('ok', 2)] }));
    counter.add(record({ calls: [call('invalid'), call('invalid', 1)], status: 500 }));
    counter.add(record({ client: undefined, path: '/v1/models' } as unknown as RequestRecord));
    const report = counter.report();
    expect(report).toEqual({
      requests: 2,
      failed: 1,
      calls: 6,
      mended: 1,
      corrected: 2,
      refused: 2,
      droppedTools: [],
      warnings: [],
      lastError: 'status 500',
    });
    expect(summaryLine(report)).toBe(
      '6 tool calls in 2 requests: 1 mended, 2 corrected by the model, 2 refused; 1 request failed',
    );
  });

  it('explains the last failure, also of a response that broke off after its start, but not that the client left', () => {
    const counter = countSession();
    counter.add(record({ status: 502, error: "The upstream can't be reached" }));
    counter.add(record({ error: 'The upstream connection broke: aborted' }));
    counter.add(record({ status: 499, left: true, error: 'The client disconnected' }));
    expect(summaryLines(counter.report(), '/tmp/log')).toEqual([
      '0 tool calls in 3 requests; 2 requests failed',
      'Last error: The upstream connection broke: aborted. All are in /tmp/log',
    ]);
    expect(summaryLines(countSession().report(), '/tmp/log')).toHaveLength(1);
  });

  it('is short if nothing happened', () => {
    expect(summaryLine(countSession().report())).toBe('0 tool calls in 0 requests');
  });

  it('names tools that the upstream has no notation for, once', () => {
    const counter = countSession();
    const opaque = (value: object) => ({ type: 'opaque', format: 'anthropic', value }) as const;
    const tools = [
      opaque({ type: 'web_search_20250305', name: 'web_search' }),
      opaque({ type: 'bash_20250124' }),
      opaque({ google_search: {} }),
      { type: 'function', name: 'edit' } as const,
    ];
    const request = record({ question: () => ({ model: 'm', messages: [], tools }) as never });
    counter.add(request);
    counter.add(request);
    const report = counter.report();
    expect(report.droppedTools).toEqual(['web_search', 'bash_20250124', 'google_search']);
    expect(summaryLine(report)).toContain('tools not sent to the model: web_search, bash_20250124, google_search');
    const native = countSession();
    native.add({ ...request, wire: 'anthropic' });
    expect(native.report().droppedTools).toEqual([]);
  });
});

describe('a shortened prompt', () => {
  it.each<[string, RequestRecord]>([
    ['46 KB cut to 4096 tokens', prompt(46_000, 4096)],
    ['200 KB cut to 8192 tokens', prompt(200_000, 8192)],
  ])('is reported: %s', (_, one) => {
    expect(shortenedPrompt(one)).toMatch(/^The server read \d+ tokens of a prompt of about \d+00\./);
  });

  it.each<[string, RequestRecord]>([
    ['English text', prompt(46_000, 9200)],
    ['Chinese text', prompt(20_000, 16_000, '工具调用')],
    ['indented code', prompt(60_000, 8600, '        x\n')],
    ['a short prompt', prompt(5000, 100)],
    ['no count', prompt(46_000, undefined)],
    ['a count of zero, for cached prompts', prompt(46_000, 0)],
  ])('is not reported: %s', (_, one) => {
    expect(shortenedPrompt(one)).toBeUndefined();
  });

  it('is reported once in a session, and images do not count', () => {
    const counter = countSession();
    expect(counter.add(prompt(46_000, 4096))).toHaveLength(1);
    expect(counter.add(prompt(46_000, 4096))).toEqual([]);
    expect(counter.report().warnings).toHaveLength(1);
    const image = { type: 'image', data: 'A'.repeat(100_000), mediaType: 'image/png' };
    const picture = record({
      ...prompt(8, 50),
      question: () => ({ model: 'm', messages: [{ role: 'user', parts: [image] }] }) as never,
    });
    expect(shortenedPrompt(picture)).toBeUndefined();
  });
});
