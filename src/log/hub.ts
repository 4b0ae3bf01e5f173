import type { LiveEvent, RunEvent } from './event.ts';
import { tellEach } from './tell-each.ts';

/** What to listen to: words and progress as they come, what needs a person, or everything that is recorded. */
export type Channel = 'progress' | 'control' | 'monitor';
/** Anything a run says. */
export type StreamedEvent = RunEvent | LiveEvent;

type EventType = StreamedEvent['type'];

/** Which events a channel beside `monitor` carries; `monitor` has every recorded one. */
const progress: ReadonlySet<EventType> = new Set<EventType>([
  ...(['text.grew', 'reasoning.grew', 'call.started', 'call.grew', 'tool.progressed'] as const),
  ...(['turn.answered', 'turn.broken', 'tool.started', 'tool.finished', 'call.refused', 'run.ended'] as const),
  'run.halted',
]);
const control: ReadonlySet<EventType> = new Set<EventType>([
  ...(['approval.asked', 'approval.given', 'call.denied', 'run.ended', 'run.halted'] as const),
]);

/** Whether an event is heard on one of these channels. */
export const isOn = (event: StreamedEvent, channels: readonly Channel[]): boolean =>
  channels.some((channel) => {
    if (channel === 'monitor') return 'seq' in event;
    return (channel === 'progress' ? progress : control).has(event.type);
  });

/** Everybody who listens to a run. A listener that throws harms nobody else. */
export class Hub {
  readonly #listeners = new Set<(event: StreamedEvent) => void>();

  publish(event: StreamedEvent): void {
    tellEach(this.#listeners, event);
  }

  listen(listener: (event: StreamedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
