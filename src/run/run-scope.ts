import { messageOf } from '../exec/tool-result.ts';
import { abandoned, untilAborted } from '../exec/until-aborted.ts';
import type { ToolScope } from '../tool/tool.ts';

/** What lives as long as a run. */
export interface RunScope extends ToolScope {
  /** Closes everything that was opened, the last first; gives the words of what failed. */
  close(): Promise<string[]>;
}

/**
 * Opens each thing once, when it is first asked for, and closes all at the end.
 *
 * @param patience how long one thing may take to close, in milliseconds, before the run ends without it
 */
export function runScope(patience = 10_000): RunScope {
  const open = new Map<object, { thing: Promise<unknown>; close: (thing: never) => unknown }>();
  let closed = false;
  return {
    async use(key, make, close = () => {}) {
      const kept = open.get(key);
      if (kept) return kept.thing as never;
      // A tool that was given up may come here late, and nobody would close what it opens.
      if (closed) throw new Error('The run has ended, so that nothing can be opened for it any more');
      const thing = Promise.resolve().then(make);
      open.set(key, { thing, close: close as (thing: never) => unknown });
      // One that could not be opened is tried anew by the next call.
      thing.catch(() => open.delete(key));
      return thing;
    },
    async close() {
      closed = true;
      const failed: string[] = [];
      for (const { thing, close } of [...open.values()].reverse()) {
        try {
          const closing = thing.then((opened) => close(opened as never));
          if ((await untilAborted(closing, AbortSignal.timeout(patience))) === abandoned) {
            failed.push(`Closing took longer than ${patience} ms, and goes on without the run`);
          }
        } catch (error) {
          failed.push(messageOf(error));
        }
      }
      open.clear();
      return failed;
    },
  };
}
