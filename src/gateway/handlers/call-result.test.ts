import { describe, expect, it } from 'vitest';
import { toolResult } from '../../execute/tool-result.ts';
import { tool } from '../../tools/tool.ts';
import { replyIn, runCall } from './call-result.ts';

/** What a call comes to at a server that sends this reply. */
async function run(reply: object) {
  const exposed = { behind: { call: async () => reply }, own: 'a', server: 's', offered: { good: true } };
  const output = await runCall({} as never, exposed as never, {}, new AbortController().signal);
  return toolResult({ type: 'returned', output }, tool({ name: 'a', description: 'A tool' }));
}

describe('runCall', () => {
  it.each([
    ['a result', { content: [{ type: 'text', text: 'Hi' }], 'x-own': 1 }, true],
    ['an error of the tool', { content: [{ type: 'text', text: 'No' }], isError: true }, false],
    ['a request for input', { resultType: 'input_required', inputRequests: {} }, true],
    ['a result that is malformed', { content: 'no list' }, false],
    ['a block that is none', { content: [null] }, false],
  ])('%s reaches the client as the server sent it', async (_, result, ok) => {
    const value = await run({ result });
    expect(value.ok).toBe(ok);
    expect(replyIn(value)).toEqual({ result });
  });

  it('a failure has no reply', async () => {
    const value = await run({ failure: { ok: false, error: 'gone', errorType: 'runtime' } });
    expect(value).toMatchObject({ ok: false, error: 'gone' });
    expect(replyIn(value)).toBeUndefined();
  });
});
