import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServedRequest, ServedTurn } from '../../src/provider/scripted/index.ts';
import { agentsRun } from './agents-run.ts';

const read = (args: string, name = 'read_file'): ServedTurn => ({ calls: [{ name, arguments: args }] });
const good = read('{"path": "a.ts", "limit": 5}');
const ranGood = { name: 'read_file', input: { path: 'a.ts', limit: 5 } };

/** What was asked; the scripted server makes up the ids of items. */
const bodyOf = ({ body }: ServedRequest) => JSON.stringify(body).replaceAll(/"(fc|msg)_\w+"/g, '"$1"');

/** Both wires of the SDK's own provider, whole and streamed. */
const ways = [
  { wire: 'chat', responses: false, stream: false },
  { wire: 'chat, streamed', responses: false, stream: true },
  { wire: 'responses', responses: true, stream: false },
  { wire: 'responses, streamed', responses: true, stream: true },
];

describe.each(ways)('OpenAI Agents over $wire', ({ responses, stream }) => {
  const run = (script: ServedTurn[], mends: boolean) => agentsRun(script, { mends, responses, stream });

  it('C15 broken JSON is never run and never explained without it, and mended with it', async () => {
    const script = [read("{path: 'a.ts', limit: 5,}"), 'Done.'];
    const bare = await run(script, false);
    expect(bare.ran).toEqual([]);
    expect(JSON.stringify(bare.requests[1]?.body)).toContain('Please try again with valid JSON.');
    expect(await run(script, true)).toMatchObject({ ran: [ranGood], said: 'Done.' });
  });

  it('a good call runs as it would without it', async () => {
    const [bare, mended] = [await run([good, 'Done.'], false), await run([good, 'Done.'], true)];
    expect(mended).toMatchObject({ ran: [ranGood], said: 'Done.', counted: 2 });
    expect(mended.ran).toEqual(bare.ran);
    expect(mended.requests.map(bodyOf)).toEqual(bare.requests.map(bodyOf));
  });
});

it('is tested with the SDK of the minor version that the package names', () => {
  const manifestOf = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));
  expect(manifestOf('node_modules/@openai/agents/package.json').version).toMatch(/^0\.20\./);
  const manifest = manifestOf('package.json');
  expect(manifest.peerDependencies['@openai/agents-core']).toBe('^0.20.0');
});
