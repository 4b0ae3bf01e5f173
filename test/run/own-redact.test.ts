/** Runs of agents with a `redact` of their own, which need not write `[redacted]`. */
import { expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { statefulTool } from '../../src/execute/stateful-tool.ts';
import { decideApproval } from '../../src/log/control/decide-approval.ts';
import type { Decision, RunEvent } from '../../src/log/events.ts';
import type { RedactRun } from '../../src/log/journal.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { eventsOfRun, type Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { calls, plays, says } from './plays.ts';

const redacts: [string, RedactRun][] = [
  ['stars', (event) => JSON.parse(JSON.stringify(event).replaceAll('hunter2', '***'))],
  ['nothing at all', (event) => JSON.parse(JSON.stringify(event).replaceAll('hunter2', ''))],
  ['stars in a copy with no secret', (event) => JSON.parse(JSON.stringify(event))],
];
const hides = redacts.slice(0, 2);

interface Note {
  readonly text: string;
}

const written = (pw: string) => JSON.stringify({ pw });

/** An agent whose tool `login` needs approval, and its store until the event `last`. */
async function cutAt(last: RunEvent['type'], redact: RedactRun, pw = 'hunter2', mode: 'ask' | 'auto' = 'ask') {
  const ran: unknown[] = [];
  const make = (store: Store) => {
    const inputSchema = { type: 'object', properties: { pw: { type: 'string' } }, required: ['pw'] } as const;
    const login = tool({
      name: 'login',
      description: 'Logs in',
      inputSchema,
      execute: (input) => void ran.push(input),
    });
    const model = plays(({ messages }) => [
      messages.some(({ role }) => role === 'assistant') ? says('Done.') : calls('login', written(pw), 'c1'),
    ]);
    return agent({ store, redact, tools: [login], model, permissions: permissions({ mode }) });
  };
  const store = memoryStore();
  const cut = memoryStore();
  await make(store).run('Go', { id: 'r' }).result;
  ran.length = 0;
  for (const event of await eventsOfRun(store, 'r')) {
    await cut.append([event]);
    if (event.type === last) break;
  }
  return { helper: make(cut), store: cut, ran };
}

const incomplete = 'its arguments contained a secret';

it.each(hides)('never runs a call with other arguments than were approved: %s', async (_, redact) => {
  const { helper, store, ran } = await cutAt('run.ended', redact);
  await decideApproval(store, 'r', 'c1', { type: 'allow' }, { redact });
  const run = (await helper.resume('r')).continue();
  expect((await run.result).end).toBe('done');
  expect(JSON.stringify(run.calls()[0]?.result)).toContain(incomplete);
  expect(ran).toEqual([]);
});

it.each(hides)('never runs a call whose process died before it started: %s', async (_, redact) => {
  for (const last of ['turn.completed', 'call.accepted'] as const) {
    const { helper, ran } = await cutAt(last, redact, 'hunter2', 'auto');
    const run = (await helper.resume('r')).continue();
    await run.result;
    expect(JSON.stringify(run.calls()[0]?.result)).toContain(incomplete);
    expect(ran).toEqual([]);
  }
});

it.each(redacts)('runs what was approved or edited, if it has no secret: %s', async (_, redact) => {
  const decisions: [Decision, string][] = [
    [{ type: 'allow' }, 'open'],
    [{ type: 'edit', input: { pw: 'edited' } }, 'edited'],
  ];
  for (const [decision, pw] of decisions) {
    const { helper, store, ran } = await cutAt('run.ended', redact, 'open');
    await decideApproval(store, 'r', 'c1', decision, { redact });
    await (await helper.resume('r')).continue().result;
    expect(ran).toEqual([{ pw }]);
  }
});

it.each(hides)('runs an edit without a secret, though the call had one: %s', async (_, redact) => {
  const { helper, store, ran } = await cutAt('run.ended', redact);
  await decideApproval(store, 'r', 'c1', { type: 'edit', input: { pw: 'edited' } }, { redact });
  await (await helper.resume('r')).continue().result;
  expect(ran).toEqual([{ pw: 'edited' }]);
});

it.each(hides)('does not restore a snapshot that is not what it was: %s', async (_, redact) => {
  const store = memoryStore();
  const restored: unknown[] = [];
  const make = () =>
    agent({
      ...{ store, redact },
      model: plays(({ messages }) => [
        messages.at(-1)?.parts.some(({ type }) => type === 'text') ? calls('note', '{}') : says('Done.'),
      ]),
      tools: [
        statefulTool<undefined, Note, number>({
          ...{ name: 'note', description: 'Notes', create: () => ({ text: 'hunter2' }) },
          execute: ({ text }) => text.length,
          snapshot: ({ text }) => text,
          restore: (text: string) => {
            restored.push(text);
            return { text };
          },
        }),
      ],
    });
  const run = make().run('Go', { id: 'r' });
  expect((await run.result).end).toBe('done');
  const again = await make().resume('r');
  expect((await again.send('Go').result).end).toBe('done');
  expect(restored).toEqual([]);
});
