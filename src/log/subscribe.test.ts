import { describe, expect, it } from 'vitest';
import type { LiveEvent, RunEvent } from './events.ts';
import { memoryStore } from './memory-store.ts';
import { Hub, type StreamedEvent, type WatchOptions, watch } from './subscribe.ts';

const word = (text: string): LiveEvent => ({ type: 'text.delta', run: 'r', turn: 1, text });
const halted: LiveEvent = { type: 'run.halted', run: 'r', message: 'full' };

function watched() {
  const store = memoryStore();
  const hub = new Hub();
  let seq = 0;
  return {
    hub,
    /** Commits an event, and then publishes it as a journal does. */
    async record(count = 1): Promise<void> {
      for (let one = 0; one < count; one += 1) {
        seq += 1;
        const event: RunEvent = { type: 'run.resumed', run: 'r', seq, at: 0 };
        await store.append([event]);
        hub.publish(event);
      }
    },
    watch: (options: WatchOptions = {}) => watch({ run: 'r', hub, store, published: seq }, options),
  };
}

const name = (event: StreamedEvent): string | number =>
  'seq' in event ? event.seq : event.type === 'text.delta' ? event.text : event.type;

async function take(reader: AsyncGenerator<StreamedEvent>, count: number): Promise<(string | number)[]> {
  const list: (string | number)[] = [];
  for (let one = 0; one < count; one += 1) {
    const { value, done } = await reader.next();
    if (done) break;
    list.push(name(value as StreamedEvent));
  }
  return list;
}

describe('watching a run', () => {
  it('replays from a bookmark and goes on live, nothing twice', async () => {
    const run = watched();
    await run.record(5);
    const reader = run.watch({ after: 2 });
    expect(await take(reader, 2)).toEqual([3, 4]);
    await run.record(2);
    run.hub.publish(word('a'));
    expect(await take(reader, 4)).toEqual([5, 6, 7, 'a']);
    await reader.return(undefined);
  });

  it('without a bookmark begins where it was asked for, though it is read later', async () => {
    const run = watched();
    await run.record(2);
    const reader = run.watch();
    await run.record(2);
    expect(await take(reader, 2)).toEqual([3, 4]);
    await reader.return(undefined);
  });

  it('F3 a reader who never reads holds no more than its limit; later it gets all that was recorded', async () => {
    const run = watched();
    await run.record();
    const reader = run.watch({ after: 0, limit: 10 });
    expect(await take(reader, 1)).toEqual([1]);
    for (let time = 0; time < 50; time += 1) {
      run.hub.publish(word(`w${time}`));
      await run.record();
    }
    const late = await take(reader, 10 + 45);
    expect(late.slice(0, 10)).toEqual(['w0', 2, 'w1', 3, 'w2', 4, 'w3', 5, 'w4', 6]);
    expect(late.slice(10)).toEqual(Array.from({ length: 45 }, (_, at) => at + 7));
    run.hub.publish(word('live again'));
    await run.record();
    expect(await take(reader, 2)).toEqual(['live again', 52]);
    await reader.return(undefined);
  });

  it('tells even a slow reader that the log can not be written, after all that was', async () => {
    const run = watched();
    await run.record();
    const reader = run.watch({ after: 0, limit: 2 });
    expect(await take(reader, 1)).toEqual([1]);
    await run.record(5);
    run.hub.publish(halted);
    expect(await take(reader, 6)).toEqual([2, 3, 4, 5, 6, 'run.halted']);
    await reader.return(undefined);
  });

  it('who leaves is no longer listened for', async () => {
    const run = watched();
    await run.record();
    const reader = run.watch({ after: 0 });
    await take(reader, 1);
    await reader.return(undefined);
    run.hub.publish(word('x'));
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });
});
