import { isObject } from '../../json/value.ts';

/** What is read of a graph's checkpointer: its checkpoints, the newest first. */
interface Checkpoints {
  list(config: object, options?: { readonly limit?: number }): AsyncIterable<unknown>;
}

/** So many steps may lie between an answer and the run of its tools. */
const mostSteps = 50;

/**
 * Whether a graph stopped for a person between an answer and the run of its tools, by an interrupt. Where its
 * checkpoints can't tell, it may have.
 *
 * @param answer the id of the message that holds the call; where it is not known, every step counts
 */
export async function wasInterrupted(configurable: unknown, answer: string | undefined): Promise<boolean> {
  const { __pregel_checkpointer: kept, thread_id, checkpoint_ns: at } = isObject(configurable) ? configurable : {};
  if (!isObject(kept) || typeof kept.list !== 'function') return false;
  // The last part names the task that runs the tool; what is before it, the graph.
  const checkpoint_ns = String(at ?? '')
    .split('|')
    .slice(0, -1)
    .join('|');
  try {
    const steps = (kept as unknown as Checkpoints).list(
      { configurable: { thread_id, checkpoint_ns } },
      { limit: mostSteps },
    );
    for await (const step of steps) {
      if (!isObject(step) || !isObject(step.checkpoint)) return true;
      if (!holds(step.checkpoint, answer)) return false;
      if (isStop(step)) return true;
    }
  } catch {
    return true;
  }
  return false;
}

/** Whether a checkpoint is of after the answer. */
function holds({ channel_values: values }: Record<string, unknown>, answer: string | undefined): boolean {
  const messages = isObject(values) && Array.isArray(values.messages) ? values.messages : [];
  return answer === undefined || messages.some((message) => isObject(message) && message.id === answer);
}

function isStop({ pendingWrites: writes }: Record<string, unknown>): boolean {
  const channels: unknown[] = Array.isArray(writes) ? writes.map((write) => Array.isArray(write) && write[1]) : [];
  return channels.includes('__interrupt__') || channels.includes('__resume__');
}
