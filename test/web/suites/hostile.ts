import { request } from 'node:http';
import { expect, it } from 'vitest';
import { until } from '../../until.ts';
import { recordRaw } from '../stage.ts';
import type { Theatre } from '../theatre.ts';

const markup = `<script>window.hacked = 1</script><img src="x" onerror="window.hacked = 1"><b id="bold">bold</b>`;
const million = 'm'.repeat(1_000_000);

/** A run of one call that was refused, with anything at all in its places. */
const refused = (call: object, more: object = {}) => [
  { type: 'run.started', model: { name: markup, provider: markup }, tools: [markup] },
  { type: 'message.added', message: { role: 'user', parts: [{ type: 'text', text: markup }] } },
  { type: 'turn.requested', turn: 1 },
  {
    type: 'turn.completed',
    turn: 1,
    response: {
      message: {
        role: 'assistant',
        parts: [
          { type: 'text', text: markup },
          { type: 'call', id: 'c1', ...call },
        ],
      },
      finish: 'tool_calls',
    },
  },
  {
    type: 'call.refused',
    callId: 'c1',
    call: { type: 'call', id: 'c1', ...call },
    name: 'look',
    input: {},
    repairs: [],
    errorType: 'validation',
    problems: [],
    recommendations: [],
    attempt: 1,
    result: { type: 'result', callId: 'c1', content: [{ type: 'text', text: markup }], isError: true },
    ...more,
  },
  { type: 'run.ended', end: 'invalid_calls', message: markup },
];

export function hostileSuite({ stage, open }: Theatre): void {
  it('F24 shows markup from a model or a tool as text in every view, and runs none of it', async () => {
    const set = await stage();
    const input = { [markup]: markup };
    await recordRaw(
      set.store,
      'run_1',
      refused({ name: markup, arguments: JSON.stringify(input) }, { name: markup, input }),
    );
    for (const place of ['', '#/runs/run_1', '#/runs/run_1/c1', '#/figures']) {
      const page = await open(set, place);
      await page.getByText('<script>window.hacked').locator('visible=true').first().waitFor();
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(await page.locator('#bold').count()).toBe(0);
    }
  });

  const look = {
    path: ['items'],
    code: 'type',
    expected: 'array',
    message: "Field 'items' expected array, got string",
  };
  it.each<[string, object, object, string]>([
    [
      'a list field that holds a string',
      { name: 'look', arguments: '{"items": "one, two"}' },
      { input: { items: 'one, two' }, problems: [{ ...look, received: 'one, two' }] },
      'one, two',
    ],
    [
      'a field that holds null',
      { name: 'look', arguments: '{"items": null}' },
      { input: { items: null }, problems: [{ ...look, received: null }] },
      'null',
    ],
    [
      'a million characters',
      { name: 'look', arguments: { items: million } },
      { input: { items: million }, problems: [{ ...look, received: million }] },
      'mmmmmmmmmm',
    ],
    ['no name', { name: '', arguments: '{}' }, { name: '', problems: [{ ...look, received: {} }] }, '{}'],
    [
      'arguments that are no object',
      { name: 'look', arguments: 7 },
      { input: 7, problems: [{ ...look, path: [], received: 7 }] },
      '7',
    ],
    [
      'a value a thousand deep',
      { name: 'look', arguments: JSON.parse('['.repeat(1000) + ']'.repeat(1000)) },
      { input: JSON.parse('['.repeat(1000) + ']'.repeat(1000)), problems: [{ ...look, received: [] }] },
      '[]',
    ],
  ])(
    'S2.5 S2.6 renders %s: a validation error, the received and the expected value',
    async (_case, call, more, shown) => {
      const set = await stage();
      await recordRaw(set.store, 'run_1', refused(call, more));
      const page = await open(set, '#/runs/run_1');
      const card = page.locator('.call-card');
      await card.getByText('Validation error').waitFor();
      const facts = card.locator('.problem-facts', { hasText: /Expected\s*array/ }).filter({ hasText: 'Received' });
      await facts.filter({ hasText: shown }).waitFor();
      await card.locator('.call-card-name a').click();
      await page.locator('.verdict', { hasText: 'Validation error' }).waitFor();
      await page.locator('.problem', { hasText: 'Expected' }).getByText(shown.slice(0, 8)).first().waitFor();
      expect(await page.getByText('could not be displayed').count()).toBe(0);
    },
  );

  it('shortens long content, and shows more on demand', async () => {
    const set = await stage();
    await recordRaw(set.store, 'run_1', refused({ name: 'look', arguments: million }, { input: { items: million } }));
    const page = await open(set, '#/runs/run_1/c1');
    const raw = page.locator('.raw');
    await raw.waitFor();
    const size = async (): Promise<number> => (await raw.innerText()).length;
    expect(await size()).toBeLessThan(10_000);
    await raw.getByRole('button', { name: /more characters/ }).click();
    await until(async () => (await size()) > 50_000);
  });

  it('contains the damage of incomplete events to their own place', async () => {
    const set = await stage();
    const broken = refused({ name: 'look', arguments: '{}' }, { problems: null, repairs: 7, result: 'text' });
    await recordRaw(set.store, 'run_1', broken);
    const page = await open(set, '#/runs/run_1');
    await page.getByText('could not be displayed').first().waitFor();
    await page.locator('.said', { hasText: 'window.hacked' }).waitFor();
    await page.locator('.entry-ended').waitFor();
  });

  it('F23 shows no secret from arguments, results or text', async () => {
    const set = await stage();
    const secret = 'sk-canary0123456789abcdef';
    const run = set.play(
      [
        {
          text: `My key is ${secret}`,
          calls: [{ id: 'c1', name: 'write_file', arguments: `{"path": "a", "content": "${secret}"}` }],
        },
        `Wrote ${secret}`,
      ],
      `Use ${secret}`,
    );
    await run.result;
    for (const place of ['', `#/runs/${run.id}`, `#/runs/${run.id}/c1`]) {
      const page = await open(set, place);
      await page.getByText('[redacted]').first().waitFor();
      expect(await page.content()).not.toContain('canary');
    }
  });

  it('F24 rejects other pages, host names and origins', async () => {
    const { url } = await stage();
    const { port } = new URL(url);
    const status = (headers: Record<string, string>, path = '/inspector/api/runs'): Promise<number> =>
      new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port, path, headers }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    expect(await status({})).toBe(200);
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ origin: 'http://evil.example' })).toBe(403);
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  it('F24 accepts a token once it was passed, and removes it from the address', async () => {
    const set = await stage({ token: 'open-sesame' });
    await recordRaw(set.store, 'run_1', refused({ name: 'look', arguments: '{}' }));
    const page = await open({ url: `${set.url}?token=open-sesame` });
    await page.locator('.run-line').waitFor();
    expect(page.url()).not.toContain('sesame');
  });
}
