import { expect } from 'vitest';
import type { RunEvent } from '../../src/log/events.ts';
import type { Store } from '../../src/log/store.ts';
import type { Message, Part } from '../../src/model/index.ts';
import type { Run } from '../../src/run/run.ts';
import { all } from '../log/store-suite.ts';
import type { Marks } from './crash-plot.ts';

/** Every number from 1 on, once. */
export const expectWhole = (events: readonly RunEvent[]): void =>
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));

/** Each call in the history has exactly one result behind it, and nothing else has one. */
export function expectOneResultEach(messages: readonly Message[]): void {
  const parts = messages.flatMap((message): readonly Part[] => message.parts);
  const called = parts.flatMap((part) => (part.type === 'call' ? part.id : []));
  const answered = parts.flatMap((part) => (part.type === 'result' ? part.callId : []));
  expect(answered).toEqual(called);
}

const answering = new Set(['call.refused', 'call.denied', 'tool.finished', 'call.settled']);

/** A run that was broken off and taken up is as good as one that was not. */
export async function expectSound(run: Pick<Run, 'id' | 'messages'>, store: Store, marks: Marks): Promise<void> {
  const events = await all(store, run.id);
  expectWhole(events);
  expect(events.at(-1)).toMatchObject({ type: 'run.ended', end: 'done' });
  expectOneResultEach(run.messages());
  const answers = events.flatMap((event) => (answering.has(event.type) && 'callId' in event ? event.callId : []));
  expect(new Set(answers).size).toBe(answers.length);
  for (const event of events) {
    if (event.type !== 'call.settled') continue;
    // F17: tools that read or are idempotent ran again; the others are not known, and the model is told so.
    expect(event).toMatchObject({ was: 'unknown', name: expect.stringMatching(/^(save|send)$/) });
    expect(JSON.stringify(event.result)).toMatch(/not known whether/);
  }
  const once = marks.all().filter((mark) => /^(save|send) /.test(mark));
  expect(new Set(once).size).toBe(once.length);
  expectMarksKnown(events, marks);
}

/** Nothing ran that the log does not know of: its start was on disk before it had its effect. */
function expectMarksKnown(events: readonly RunEvent[], marks: Marks): void {
  const started = new Set(events.flatMap((event) => (event.type === 'tool.started' ? event.key : [])));
  for (const mark of marks.all()) expect(started).toContain(mark.split(' ')[1]);
}
