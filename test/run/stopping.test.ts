/** Stopping a run, whatever it is in the middle of. */
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { decideApproval } from '../../src/log/control/decide-approval.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import type { Run } from '../../src/run/run.ts';
import { tool } from '../../src/tools/tool.ts';
import {
  deafModel,
  endless,
  n,
  noUnhandledRejections,
  oneResultEach,
  start,
  untilCalls,
  words,
  write,
} from './odd-moments.ts';
import { calls, plays, says } from './plays.ts';

noUnhandledRejections();

describe('stopping', () => {
  it('abandons a model that ignores its signal when the run is aborted', async () => {
    const { begin, begun } = endless();
    const run = agent({ model: deafModel(begin) }).run('x');
    await begun();
    run.abort();
    expect((await run.result).end).toBe('aborted');
  });

  it('aborts a run while an approver never responds', async () => {
    const { begin: approve, begun } = endless();
    const run = start([[calls('write', '{"n":1}')]], { permissions: permissions({ mode: 'ask' }), approve });
    await begun();
    run.abort('enough');
    expect((await run.result).end).toBe('aborted');
    expect(run.calls()[0]?.state).toBe('settled');
    expect(words(run)[0]).toContain('did not run: enough');
  });

  it.each(['before', 'after'] as const)('aborts a run while a hook %s a call never ends', async (name) => {
    const { begin, begun } = endless();
    const run = start([[calls('quick', '{"n":1}')]], { hooks: { [name]: begin } });
    await begun();
    run.abort();
    expect((await run.result).end).toBe('aborted');
    oneResultEach(run);
  });

  it('starts no call that waits for a free slot or for its target', async () => {
    const ran: number[] = [];
    const slow = tool({
      name: 'slow',
      description: 'Slow',
      inputSchema: n,
      execute: (input, { signal }) => {
        ran.push(input.n);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const turn = [1, 2, 3].map((at) => calls('slow', { n: at }));
    const run = agent({ model: plays(turn), tools: [slow] }).run('x');
    await untilCalls(run, 'executing', 'pending', 'pending');
    run.abort();
    await run.result;
    expect(ran).toEqual([1]);
    expect(run.calls().map(({ state }) => state)).toEqual(['failed', 'settled', 'settled']);
    oneResultEach(run);
  });

  it('ends the wait of an aborted run for an approval, and refuses a later approval', async () => {
    const run = start([[calls('write', '{"n":1}', 'w')], [says('Ok.')]], { permissions: permissions({ mode: 'ask' }) });
    expect((await run.result).end).toBe('awaiting_approval');
    run.abort();
    expect((await run.result).end).toBe('aborted');
    oneResultEach(run);
    await expect(run.approve('w', { type: 'allow' })).rejects.toThrow(/No call w is waiting/);
    expect((await run.send('go on').result).end).toBe('done');
  });

  it('continues with the new message if the wait for an approval is interrupted', async () => {
    const model = plays([calls('write', '{"n":1}', 'w')], [says('Fine.')]);
    const run = agent({ model, tools: [write], permissions: permissions({ mode: 'ask' }) }).run('x');
    await run.result;
    expect((await run.interrupt('Leave it').result).text).toBe('Fine.');
    expect(words(run)[0]).toContain('did not run: The user sent another message');
  });

  it.each(['abort', 'interrupt'] as const)(
    'tells the model of a denial that was recorded before %s()',
    async (stop) => {
      const store = memoryStore();
      const asks = [calls('write', '{"n":1}', 'w')];
      const options = { store, permissions: permissions({ mode: 'ask' }) };
      const { id, result } = start([asks], options);
      await result;
      await decideApproval(store, id, 'w', { type: 'deny', reason: 'too risky' });
      const run = await agent({ ...options, model: plays(() => [says('Ok.')]), tools: [write] }).resume(id);
      run[stop]('Never mind');
      expect((await run.result).end).toBe(stop === 'abort' ? 'aborted' : 'done');
      expect(run.calls()[0]).toMatchObject({ state: 'denied', errorType: 'denied' });
      expect(words(run)[0]).toContain('The call was not allowed: too risky');
    },
  );

  it('tells the model of a denial that is recorded at the moment of the abort', async () => {
    const { begin: approve, begun } = endless();
    const run = start([[calls('write', '{"n":1}', 'w')]], { permissions: permissions({ mode: 'ask' }), approve });
    await begun();
    const decided = run.approve('w', { type: 'deny', reason: 'too risky' });
    run.abort();
    await decided;
    expect((await run.result).end).toBe('aborted');
    expect(run.calls()[0]?.state).toBe('denied');
  });

  describe.each(['abort', 'interrupt'] as const)('%s() of a resumed run', (stop) => {
    /** A run whose process ended while its tool ran. */
    const crashed = async () => {
      const [store, copy] = [memoryStore(), memoryStore()];
      const { begin, begun } = endless();
      const look = tool({ name: 'look', description: 'Looks', effect: 'read', execute: begin });
      const { id } = agent({ store, model: plays([calls('look', '{}')]), tools: [look] }).run('x');
      await begun();
      for await (const event of store.read(id)) await copy.append([event]);
      return { id, store: copy, look };
    };
    const unknown = 'it is not known whether the call took effect';

    it('says that the outcome of a call that had started is unknown', async () => {
      const { id, store, look } = await crashed();
      const run = await agent({ store, model: plays(() => [says('Ok.')]), tools: [look] }).resume(id);
      run[stop]('Never mind');
      await run.result;
      expect(words(run)[0]).toContain(unknown);
    });

    it('says so too if the call was about to run again', async () => {
      const { id, store, look } = await crashed();
      const { begin: before, begun } = endless();
      const model = plays(() => [says('Ok.')]);
      const run = await agent({ store, model, tools: [look], hooks: { before } }).resume(id);
      run.continue();
      await begun();
      run[stop]('Never mind');
      await run.result;
      expect(words(run)[0]).toContain(unknown);
    });
  });

  it('settles both calls if one runs and another waits for a person', async () => {
    const played = [[calls('write', '{"n":1}', 'w'), calls('stuck', '{"n":2}', 's')], [says('Fine.')]];
    const run = start(played, { permissions: permissions({ mode: 'ask' }) });
    await untilCalls(run, 'approval_required', 'executing');
    expect((await run.interrupt('Leave it').result).text).toBe('Fine.');
    expect(run.calls().map(({ state }) => state)).toEqual(['settled', 'failed']);
  });

  it('keeps messages sent before an abort without resuming the run; a later message resumes it', async () => {
    const played = [[calls('stuck', '{"n":1}')], [says('Back.')]];
    const run = start(played);
    await untilCalls(run, 'executing');
    run.send('before');
    run.abort();
    expect((await run.result).end).toBe('aborted');
    expect(JSON.stringify(run.messages())).toContain('before');
    const again = start(played);
    await untilCalls(again, 'executing');
    again.abort();
    again.send('after');
    expect(await again.result).toMatchObject({ end: 'done', text: 'Back.' });
  });

  it('stops an active model and an active tool when the time is used up', async () => {
    const budgets = { time: 60 };
    const tools = start([[calls('stuck', '{"n":1}')]], { budgets });
    expect((await tools.result).end).toBe('time');
    oneResultEach(tools);
    expect((await agent({ model: deafModel(), budgets }).run('x').result).end).toBe('time');
  });

  describe('a run that pauses', () => {
    const stops: [string, (run: Run) => void, string][] = [
      ['aborts', (run) => run.abort('enough'), 'aborted'],
      ['interrupts', (run) => void run.interrupt('Leave it'), 'done'],
    ];
    const table = stops.flatMap(([name, stop, end]) =>
      ['before', 'after'].map((when) => [name, when, stop, end] as const),
    );
    it.each(table)('obeys what %s it %s its pause is stored', async (_, when, stop, end) => {
      const store = memoryStore();
      let paused = false;
      const append: Store['append'] = async (events) => {
        const pauses = !paused && events.some(({ type }) => type === 'run.ended');
        if (pauses) paused = true;
        if (pauses && when === 'before') stop(run);
        await store.append(events);
        if (pauses && when === 'after') stop(run);
      };
      const run = start([[calls('write', '{"n":1}')], [says('Fine.')]], {
        permissions: permissions({ mode: 'ask' }),
        store: { ...store, append },
      });
      expect((await run.result).end).toBe(end);
      expect(run.calls()[0]?.state).toBe('settled');
      oneResultEach(run);
    });

    it('obeys an abort on the event of its pause', async () => {
      const run = start([[calls('write', '{"n":1}')]], { permissions: permissions({ mode: 'ask' }) });
      for await (const event of run.watch({ after: 0 })) {
        if (event.type !== 'run.ended') continue;
        run.abort();
        break;
      }
      expect((await run.result).end).toBe('aborted');
    });

    it('guard: asks for approval of what the model calls after an interrupt', async () => {
      const run = start([[calls('write', '{"n":1}')], [calls('write', '{"n":2}')]], {
        permissions: permissions({ mode: 'ask' }),
      });
      await run.result;
      expect((await run.interrupt('The other one').result).end).toBe('awaiting_approval');
      expect(run.calls().map(({ state }) => state)).toEqual(['settled', 'approval_required']);
    });
  });
});
