/** Budgets at their edges, and what lives as long as a run. */
import { describe, expect, it, vi } from 'vitest';
import { statefulTool } from '../../src/execute/stateful-tool.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { agent } from '../../src/run/agent.ts';
import { runScope } from '../../src/run/context.ts';
import { tool, toolContext } from '../../src/tools/tool.ts';
import { never, noUnhandledRejections, start } from './odd-moments.ts';
import { calls, plays, says } from './plays.ts';

noUnhandledRejections();

const quick = tool({ name: 'quick', description: 'Q', effect: 'read', execute: () => 'ok' });

describe('budgets', () => {
  it.each([
    ['parallel', 'done'],
    ['failedTurns', 'done'],
    ['identicalCalls', 'repeated_calls'],
    ['emptyTurns', 'done'],
    ['modelRetries', 'done'],
    ['steps', 'steps'],
    ['tokens', 'tokens'],
    ['time', 'time'],
  ] as const)('of 0 %s end the run: %s', async (name, end) => {
    const run = start([[calls('quick', '{"n":1}')], [says('Ok.')]], { budgets: { [name]: 0 } });
    expect((await run.result).end).toBe(end);
  });

  it('of no failed turns end the run with the first one, and not earlier', async () => {
    const run = start([[calls('quick', '{}')]], { budgets: { failedTurns: 0 } });
    expect((await run.result).end).toBe('invalid_calls');
    expect(run.calls().length).toBe(1);
  });

  it('of time are not used up by a wall clock that jumps', async () => {
    const now = Date.now();
    try {
      const turn = (more: number, next: readonly ReturnType<typeof says>[]) => () => {
        vi.spyOn(Date, 'now').mockReturnValue(now + more);
        return next;
      };
      const turns = [turn(3_600_000, [calls('quick', '{"n":1}')]), turn(-3_600_000, [says('Ok.')])];
      const run = agent({ model: plays(...turns), tools: [quick], budgets: { time: 60_000 } }).run('x');
      expect((await run.result).end).toBe('done');
    } finally {
      vi.restoreAllMocks();
    }
  });

  it.each([Number.NaN, -1, '5', null])('are refused if they are %s', (steps) => {
    expect(() => agent({ model: plays([]), budgets: { steps: steps as number } })).toThrow(/Invalid budget steps/);
  });
});

describe('a resource with the lifetime of a run', () => {
  it("doesn't delay the end of the run if it never opens or never closes", async () => {
    const scope = runScope(20);
    const closed: string[] = [];
    scope.use({}, never).catch(() => {});
    await scope.use({}, () => 'a', never);
    await scope.use(
      {},
      () => 'b',
      (thing) => closed.push(thing),
    );
    expect(await scope.close()).toEqual([expect.stringContaining('20 ms'), expect.stringContaining('20 ms')]);
    expect(closed).toEqual(['b']);
    await expect(scope.use({}, () => 'c')).rejects.toThrow(/has ended/);
  });

  it('is closed if the log fails', async () => {
    const life: string[] = [];
    const keeps = statefulTool({
      name: 'keeps',
      description: 'Keeps',
      create: () => life.push('opened'),
      dispose: () => life.push('closed'),
      execute: () => 1,
    });
    const store = memoryStore();
    const append = store.append;
    store.append = async (events) => {
      if (events.some(({ type }) => type === 'tool.finished')) throw new Error('disk full');
      return append(events);
    };
    const run = agent({ model: plays([calls('keeps', '{}')]), tools: [keeps], store }).run('x');
    expect((await run.result).end).toBe('storage');
    expect(life).toEqual(['opened', 'closed']);
    expect(await keeps.executor?.execute({}, toolContext())).toBe(1);
  });
});
