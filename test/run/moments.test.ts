/** What is said, allowed or taken up in the wrong moment. */
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Model } from '../../src/model/index.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { n, noUnhandledRejections, oneResultEach, start, words, write } from './odd-moments.ts';
import { calls, plays, says } from './plays.ts';

noUnhandledRejections();

describe('timing', () => {
  it('answers two messages sent at the same time before `done` settles', async () => {
    const model = plays([says('One.')], [says('Two.')]);
    const run = agent({ model }).run();
    run.send('a');
    run.send('b');
    await run.result;
    expect(JSON.stringify(model.asked[0]?.messages)).toMatch(/"a".*"b"/);
  });

  it('answers a message sent at the end of the run before `done` settles', async () => {
    const run = agent({ model: plays([says('One.')], [says('Two.')]) }).run();
    const stop = run.on('end', () => {
      stop();
      run.send('again');
    });
    expect((await run.send('x').result).text).toBe('Two.');
  });

  it('keeps an approval given while the run starts to wait', async () => {
    const run = start([[calls('write', '{"n":1}', 'w')], [says('Ok.')]], { permissions: permissions({ mode: 'ask' }) });
    for await (const event of run.watch({ after: 0 })) {
      if (event.type === 'approval.requested') await run.approve('w', { type: 'allow' });
      if (event.type === 'run.ended' && event.end === 'done') break;
    }
    expect(words(run)).toEqual(['wrote 1']);
  });

  it.each([
    ['', 'abort'],
    ['guard: ', 'interrupt'],
  ] as const)('%srefuses an approval in the moment after %s()', async (_, stop) => {
    const run = start([[calls('write', '{"n":1}', 'w')], [says('Ok.')]], { permissions: permissions({ mode: 'ask' }) });
    await run.result;
    run[stop]('Lunch');
    await expect(run.approve('w', { type: 'allow' })).rejects.toMatchObject({ code: 'not_waiting' });
    await run.result;
    expect(words(run)[0]).toContain('The call did not run');
  });

  it('lets a tool send a message to its run, and stop it', async () => {
    const speaks = tool({
      name: 'speaks',
      description: 'Speaks',
      inputSchema: n,
      execute: (input) => {
        if (input.n > 0) run.send('from the tool');
        else run.abort('by the tool');
        return 'said';
      },
    });
    const model = plays([calls('speaks', '{"n":1}')], [calls('speaks', '{"n":0}')], [says('Never said.')]);
    const run = agent({ model, tools: [speaks] }).run('x');
    expect((await run.result).end).toBe('aborted');
    expect(JSON.stringify(model.asked[1]?.messages)).toContain('from the tool');
    oneResultEach(run);
  });

  it('lets a model send a message to its run before it responds', async () => {
    const inner = plays([says('One.')], [says('Two.')]);
    const model: Model = {
      name: 'm',
      provider: 'test',
      stream: (question, options) => {
        if (inner.asked.length === 0) run.send('from the model');
        return inner.stream(question, options);
      },
    };
    const run = agent({ model }).run('x');
    expect((await run.result).text).toBe('Two.');
    expect(inner.asked.length).toBe(2);
  });

  it('gives no new budget for approvals: a model that always asks reaches the end', async () => {
    const model = plays([calls('write', '{"n":1}')]);
    const rules = permissions({ mode: 'ask' });
    const run = agent({ model, tools: [write], permissions: rules, budgets: { steps: 3, identicalCalls: 99 } }).run(
      'x',
    );
    for (let given = 0; given < 10 && (await run.result).end === 'awaiting_approval'; given += 1) {
      const waiting = run.calls().find(({ state }) => state === 'approval_required');
      await run.approve(waiting?.callId ?? '', { type: 'allow' });
    }
    expect((await run.result).end).toBe('steps');
    expect(model.asked.length).toBe(3);
  });

  it('resumes a run that ended, and makes no request if there is nothing to respond to', async () => {
    const store = memoryStore();
    const model = plays([says('One.')], [says('Two.')]);
    const helper = agent({ model, store });
    const run = helper.run('x');
    await run.result;
    const resumed = await helper.resume(run.id);
    expect((await resumed.continue().result).end).toBe('done');
    expect(model.asked.length).toBe(1);
    expect((await resumed.send('more').result).text).toBe('Two.');
    expect((await helper.run().continue().result).end).toBe('done');
  });
});
