/** F27 What runs is what was recorded: whatever a program does to events it was told, and whatever a tool says of itself later. */
import { describe, expect, it } from 'vitest';
import { approver } from '../../src/cli/run/approver.ts';
import { colour } from '../../src/cli/terminal/colour.ts';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { Decision } from '../../src/log/events.ts';
import { tool } from '../../src/tools/tool.ts';
import { fakeTerminal } from '../cli/fake-terminal.ts';
import { calls, plays, says } from '../run/plays.ts';
import { append, eventsOf, processOn, stores, told } from './scene.ts';

const input = { type: 'object', properties: { table: { type: 'string' }, rows: { type: 'number' } } };
const original = { table: 'logs', rows: 3 };

/** Shortens whatever text it finds, as a display may, in place. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'table') (value as Record<string, unknown>)[key] = 'l…';
    else spoil(inner);
  }
}

describe.each(stores)('in a %s store', (_, open) => {
  const decisions: readonly [string, Decision | undefined, unknown][] = [
    ['allowed by a rule', undefined, original],
    ['allowed', { type: 'allow' }, original],
    ['edited', { type: 'edit', input: { table: 'tmp' } }, { table: 'tmp' }],
  ];
  it.each(decisions)(
    'a listener that changes what it is told changes nothing: %s',
    async (_name, decision, expected) => {
      const model = plays(({ messages }) =>
        messages.some(({ role }) => role === 'assistant') ? [says('Done.')] : [calls('drop', { ...original }, 'c1')],
      );
      const process = processOn(open(), {
        model,
        definition: { inputSchema: input },
        ...(!decision && { permissions: permissions() }),
      });
      const run = process.run('Clean up');
      for await (const event of run.watch({ after: 0 })) {
        spoil(event);
        if (event.type === 'approval.requested' && decision) await run.approve('c1', decision);
        if (event.type === 'run.ended' && event.end === 'done') break;
      }
      expect(process.ran).toEqual([expected]);
    },
  );

  it.each(decisions.slice(1))(
    'a program that changes the calls it was handed changes nothing: %s',
    async (_name, decision, expected) => {
      const model = plays(({ messages }) =>
        messages.some(({ role }) => role === 'assistant') ? [says('Done.')] : [calls('drop', { ...original }, 'c1')],
      );
      const process = processOn(open(), { model, definition: { inputSchema: input } });
      const run = process.run('Clean up');
      run.on('tool_executed', (call) => Object.assign(call, { state: 'denied', name: 'other', audit: [] }));
      await run.result;
      const [before] = run.calls();
      const [handed] = run.calls();
      spoil(handed);
      Object.assign(handed ?? {}, { state: 'approved', name: 'other', decision: { type: 'allow' }, turn: 9 });
      expect(run.calls()[0]).toEqual(before);
      await run.approve('c1', decision as Decision);
      await run.result;
      expect(process.ran).toEqual([expected]);
      expect(run.calls()[0]).toMatchObject({ name: 'drop', state: 'completed', input: expected });
      expect(run.calls()[0]?.audit).not.toEqual([]);
    },
  );

  const began: readonly [string, object, object, boolean][] = [
    ['guard: read, and still reads', { effect: 'read', repeat: 'once' }, { effect: 'read' }, true],
    [
      'guard: idempotent, and still is',
      { effect: 'write', repeat: 'idempotent' },
      { effect: 'write', repeat: 'idempotent' },
      true,
    ],
    ['guard: wrote, and still writes', { effect: 'write', repeat: 'once' }, { effect: 'write' }, false],
    ['guard: read, and destroys now', { effect: 'read', repeat: 'once' }, { effect: 'destructive' }, false],
    ['destroyed, and only reads now', { effect: 'destructive', repeat: 'once' }, { effect: 'read' }, false],
    [
      'wrote once, and is idempotent now',
      { effect: 'write', repeat: 'once' },
      { effect: 'write', repeat: 'idempotent' },
      false,
    ],
  ];
  it.each(began)(
    '%s: the tool of a call that was under way when its process ended',
    async (_name, then, now, again) => {
      const store = open();
      const first = processOn(store, { permissions: permissions({ mode: 'ask' }) });
      const run = first.run('Clean up');
      await run.result;
      const events = (await eventsOf(store, run.id)).filter(
        ({ type }) => type !== 'approval.requested' && type !== 'run.ended',
      );
      const left = open();
      await left.append(events);
      const key = `${run.id}/c1`;
      await append(left, run.id, { type: 'tool.started', callId: 'c1', name: 'drop', input: original, key, ...then });
      const next = processOn(left, { permissions: permissions(), definition: now });
      const resumed = await next.resume(run.id);
      await resumed.continue().result;
      expect(next.ran).toEqual(again ? [original] : []);
      if (!again) expect(told(resumed)).toContain('not known');
    },
  );
});

describe('an edit at the terminal is what was typed', () => {
  const destroys = tool({ name: 'drop', description: 'Drops', effect: 'destructive' });
  const call = { tool: destroys, name: 'drop', input: {}, reason: 'r', rule: 'drop', callId: 'c1' };
  const typed = async (line: string): Promise<unknown> => {
    const terminal = fakeTerminal();
    const page = { paint: colour({ isTTY: false }, {}), width: 80 };
    const screen = { hold: () => {}, release: () => {} };
    const ask = approver({ terminal, page, screen, onInterrupt: () => {} });
    const said = ask(call, { signal: new AbortController().signal });
    for (const one of ['e', line, 'n', 'no']) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      terminal.type(`\u0015${one}\r`);
    }
    return said;
  };
  it.each(['{"path": "say "hi" now"}', '{"path": rm -rf x}'])('%s', async (line) =>
    expect(await typed(line)).toMatchObject({ type: 'deny' }),
  );

  it.each(['{"path": "a" "rows": 1', '{"path": "a", "path": "b"}'])('guard: %s', async (line) =>
    expect(await typed(line)).toMatchObject({ type: 'deny' }),
  );

  it('guard: JSON', async () => {
    expect(await typed('{"path": "a"}')).toMatchObject({ type: 'edit', input: { path: 'a' } });
  });
});
