import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runsCommand } from '../../src/cli/runs/command.ts';
import { permissions } from '../../src/execute/permission-rules.ts';
import { startInspector } from '../../src/inspect/inspector.ts';
import { fold } from '../../src/log/fold.ts';
import { openPool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { agent } from '../../src/run/agent.ts';
import { control, dispatch, type WorkerEvent } from '../../src/run/workers/dispatch.ts';
import { tool } from '../../src/tools/tool.ts';
import { fakeTerminal } from '../cli/fake-terminal.ts';
import { all } from '../log/store-suite.ts';
import { calls, plays, says } from '../run/plays.ts';
import { until } from '../until.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();

const closing = closeAfterEach();

/** A worker whose tool runs until it is released or aborted, and a control with connections of its own. */
async function scene(asks: readonly string[] = []) {
  const url = await postgres.database();
  const [store, own] = [await postgresStore(url, { connections: 3 }), await postgresStore(url, { connections: 2 })];
  const pool = await openPool(url, { connections: 1 });
  const gate = { isOpen: false, started: 0 };
  const hold = tool({
    name: 'hold',
    description: 'Waits',
    execute: async (_, { signal }) => {
      gate.started += 1;
      while (!gate.isOpen && !signal.aborted) await pause(10);
      return 'released';
    },
  });
  const helper = agent({
    store,
    guidance: false,
    tools: [hold],
    permissions: permissions({ ask: [...asks] }),
    model: plays(({ messages }) => {
      const texts = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text : [])));
      const isFirst = !messages.some(({ role }) => role === 'assistant');
      return isFirst ? [calls('hold', '{}', 'a')] : [says(`Done: ${texts.join(', ')}`)];
    }),
  });
  const works = await dispatch({ agent: helper, store, url, heartbeatTimeout: 2 });
  const controls = await control({ store: own, url });
  closing.push(
    () => pool.end(),
    () => own.close(),
    () => store.close(),
    () => controls.close(),
    () => works.close(),
  );
  const heard: WorkerEvent[] = [];
  const work = () => works.work({ pollInterval: 20, sweepInterval: 100, on: (event) => heard.push(event) });
  const running = async (): Promise<string> => {
    const before = gate.started;
    const id = await works.submit('Go');
    await until(() => gate.started > before);
    return id;
  };
  return { url, store: own, pool, gate, works, work, controls, heard, running };
}

const timed = async (command: Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await command;
  return performance.now() - began;
};

describe('control of a run that another process has', { timeout: 120_000 }, () => {
  it('cancels it, and every call has a result', async () => {
    const { store, work, controls, running } = await scene();
    work();
    const id = await running();
    expect(await controls.result(id)).toBeUndefined();
    expect(await timed(controls.cancel(id, 'No longer needed'))).toBeLessThan(1000);
    expect(await controls.wait(id)).toMatchObject({ end: 'aborted' });
    expect([...fold(await all(store, id)).calls.values()].every(({ result }) => result)).toBe(true);
  });

  it('sends a message that the model gets after the results, and interrupts with another', async () => {
    const { store, gate, work, controls, running } = await scene();
    work();
    const id = await running();
    expect(await timed(controls.send(id, 'Also this'))).toBeLessThan(1000);
    expect(fold(await all(store, id)).ended).toBeUndefined();
    gate.isOpen = true;
    expect(await controls.wait(id)).toMatchObject({ end: 'done', text: 'Done: Go, Also this' });
    gate.isOpen = false;
    const other = await running();
    await controls.interrupt(other, 'Stop it');
    expect(await controls.wait(other)).toMatchObject({ end: 'done', text: 'Done: Go, Stop it' });
    // A run that has ended continues with a message, and a fork of it by itself.
    await controls.send(id, 'More');
    await until(async () => (await controls.wait(id)).text.endsWith('More'));
    const fork = await controls.fork(id, 2);
    gate.isOpen = true;
    expect((await controls.wait(fork)).end).toBe('done');
  });

  it('decides approvals, and cancels runs that wait or are queued', async () => {
    const { store, gate, works, work, controls } = await scene(['hold']);
    const queued = await works.submit('Go');
    await controls.cancel(queued);
    work();
    expect(await controls.wait(queued)).toMatchObject({ end: 'aborted' });
    const [first, second] = [await works.submit('Go'), await works.submit('Go')];
    for (const id of [first, second]) await until(async () => (await controls.result(id))?.end === 'awaiting_approval');
    gate.isOpen = true;
    await controls.approve(first, 'a', { type: 'allow' });
    await until(async () => (await controls.result(first))?.end === 'done');
    await controls.cancel(second);
    expect((await controls.result(second))?.end).toBe('aborted');
    expect(fold(await all(store, second)).calls.get('a')?.result).toBeDefined();
    await expect(controls.approve(second, 'a', { type: 'allow' })).rejects.toMatchObject({ code: 'not_waiting' });
    await expect(controls.cancel('none')).rejects.toMatchObject({ code: 'unknown_run' });
  });

  it('works without notifications, and records which command sent a message', async () => {
    const { store, pool, gate, work, controls, running } = await scene();
    work();
    const id = await running();
    await pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    expect(await timed(controls.send(id, 'One'))).toBeLessThan(1500);
    gate.isOpen = true;
    expect((await controls.wait(id)).text).toBe('Done: Go, One');
    const [sent] = (await all(store, id)).filter((event) => event.type === 'message.added' && event.command);
    expect(sent).toMatchObject({ type: 'message.added', command: expect.any(String) });
    const { rows } = await pool.query('SELECT body, done_at IS NOT NULL AS done FROM toolmend.commands');
    await until(async () => {
      const { rows: later } = await pool.query('SELECT 1 FROM toolmend.commands WHERE done_at IS NULL');
      return later.length === 0;
    });
    expect(rows.length).toBe(1);
  });

  it('is controlled from the command line and over HTTP', async () => {
    const { url, store, gate, work, controls, running } = await scene();
    work();
    const id = await running();
    const terminal = fakeTerminal({ tty: false });
    expect(await runsCommand(['send', id, 'From', 'the', 'shell', '--store', url], terminal)).toBe(0);
    const page = await startInspector({ store, control: controls });
    closing.push(() => page.close());
    const post = (path: string, body: object) =>
      fetch(`${page.url}api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await post(`runs/${id}/send`, { message: 'From the page' })).status).toBe(200);
    expect((await post(`runs/${id}/dance`, {})).status).toBe(404);
    expect((await post('runs/none/cancel', {})).status).toBe(404);
    gate.isOpen = true;
    expect(await runsCommand(['wait', id, '--store', url], terminal)).toBe(0);
    expect(terminal.text()).toContain('Done: Go, From the shell, From the page');
    gate.isOpen = false;
    const other = await running();
    expect((await post(`runs/${other}/cancel`, { reason: 'Enough' })).status).toBe(200);
    expect(await runsCommand(['wait', other, '--store', url], terminal)).toBe(1);
    await expect(runsCommand(['send', id, '--store', url], terminal)).rejects.toThrow(/Missing PROMPT/);
    const closed = await startInspector({ store });
    closing.push(() => closed.close());
    const refused = await fetch(`${closed.url}api/runs/${id}/cancel`, { method: 'POST' });
    expect(refused.status).toBe(403);
  });

  it('is cancelled before it is deleted', async () => {
    const { store, gate, work, heard, running } = await scene();
    work();
    const id = await running();
    await store.remove(id);
    await until(() => heard.find((event) => event.type === 'ended' && event.run === id));
    expect(gate.isOpen).toBe(false);
    expect(heard.findLast(({ type }) => type === 'ended')).toMatchObject({ end: 'aborted' });
    // An aborted tool may still return after that.
    expect(await all(store, id)).toEqual([]);
  });
});
