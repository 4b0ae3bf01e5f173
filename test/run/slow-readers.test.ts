import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { StreamedEvent } from '../../src/log/subscribe.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { all } from '../log/store-suite.ts';

const look = tool({ name: 'look', description: 'Looks', effect: 'read', execute: () => 'seen' });
const talk = 'word '.repeat(2000);

describe('F3 a reader that stops reading', () => {
  it('F3 delays no run, buffers a bounded number of events, and receives all recorded events when it continues', async () => {
    const store = memoryStore();
    const turns = Array.from({ length: 8 }, () => ({
      text: talk,
      chunk: 5,
      calls: [{ name: 'look', arguments: '{}' }],
    }));
    const helper = agent({
      model: scripted([...turns, 'Done.']),
      tools: [look],
      store,
      budgets: { identicalCalls: 20 },
    });
    const run = helper.run('x');
    const reader = run[Symbol.asyncIterator]();
    const heard: StreamedEvent[] = [(await reader.next()).value as StreamedEvent];
    expect((await run.result).end).toBe('done');

    for await (const event of reader) heard.push(event);
    const recorded = heard.filter((event) => 'seq' in event);
    expect(recorded).toEqual(await all(store, run.id));
    const words = heard.filter(({ type }) => type === 'text.delta');
    expect(words.length).toBeLessThanOrEqual(1000);
    expect(words.length).toBeGreaterThan(0);
  });
});
