import { describe, expect, it } from 'vitest';
import { tourScript } from '../../src/cli/tour/script.ts';
import { tourTools } from '../../src/cli/tour/tools.ts';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import { statusOf } from './call-story.ts';
import { grow, type Now } from './growing.ts';
import { timelineOf } from './timeline.ts';

async function tour(): Promise<RunEvent[]> {
  const store = memoryStore();
  const run = agent({
    model: scripted(tourScript()),
    tools: tourTools(),
    store,
    permissions: permissions({ mode: 'ask' }),
    approve: ({ name }) => (name === 'delete_folder' ? { type: 'deny', reason: 'no' } : { type: 'allow' }),
  }).run('Settle it');
  await run.result;
  const events: RunEvent[] = [];
  for await (const event of store.read(run.id)) events.push(event);
  return events;
}

describe('a timeline', () => {
  it('tells a run in its order, each call with what came of it', async () => {
    const { entries, calls, over } = timelineOf(await tour());
    expect(entries.map(({ type }) => type)).toEqual(['started', 'said', ...Array(8).fill('turn'), 'ended']);
    expect([...calls.values()].map((story) => statusOf(story, over))).toEqual([
      'mended',
      'mended',
      'invalid',
      'mended',
      'invalid',
      'ok',
      'invalid',
      'denied',
    ]);
  });

  it('shows calls as open or waiting until something came of them', async () => {
    const events = await tour();
    const statusAfter = (type: RunEvent['type']) => {
      const at = events.findIndex((event) => event.type === type && 'callId' in event && event.callId === 'call_3_1');
      const { calls, over } = timelineOf(events.slice(0, at + 1));
      return statusOf(calls.get('call_3_1') ?? { callId: '', turn: 0 }, over);
    };
    expect(statusAfter('call.mended')).toBe('open');
    expect(statusAfter('approval.requested')).toBe('waiting');
    expect(statusAfter('approval.decided')).toBe('open');
    expect(statusAfter('tool.started')).toBe('open');
    expect(statusAfter('tool.finished')).toBe('mended');
  });

  it('hides nothing that came without its turn', async () => {
    const events = (await tour()).filter(({ type }) => type !== 'turn.requested' && type !== 'turn.completed');
    expect(timelineOf(events).calls.size).toBe(8);
  });
});

describe('what is seen right now', () => {
  const at = { run: 'r', turn: 2 };
  const none: Now = { progress: {} };

  it('grows with words and arguments, and ends with the answer', () => {
    const now = [
      { ...at, type: 'reasoning.delta', text: 'Hm' } as const,
      { ...at, type: 'text.delta', text: 'I ' } as const,
      { ...at, type: 'text.delta', text: 'look' } as const,
      { ...at, type: 'call.started', callId: 'a', name: 'look' } as const,
      { ...at, type: 'call.delta', callId: 'a', text: '{"n"' } as const,
      { ...at, type: 'call.delta', callId: 'a', text: ': 1}' } as const,
    ].reduce(grow, none);
    expect(now.growing).toEqual({
      turn: 2,
      text: 'I look',
      reasoning: 'Hm',
      calls: [{ callId: 'a', name: 'look', text: '{"n": 1}' }],
    });
    const answered = { type: 'turn.completed', turn: 2, run: 'r', seq: 1, at: 1 } as RunEvent;
    expect(grow(now, answered).growing).toBeUndefined();
  });

  it('shows a call of which only the end is seen', () => {
    expect(grow(none, { ...at, type: 'call.delta', callId: 'a', text: '1}' }).growing?.calls).toEqual([
      { callId: 'a', name: '', text: '…1}' },
    ]);
  });
});
