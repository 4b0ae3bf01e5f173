import { messageOf } from '../exec/tool-result.ts';
import type { ToolScope } from '../tool/tool.ts';

/** What lives as long as a run. */
export interface RunScope extends ToolScope {
  /** Closes everything that was opened, the last first; gives the words of what failed. */
  close(): Promise<string[]>;
}

/** Opens each thing once, when it is first asked for, and closes all at the end. */
export function runScope(): RunScope {
  const open = new Map<object, { thing: Promise<unknown>; close: (thing: never) => unknown }>();
  return {
    async use(key, make, close = () => {}) {
      const kept = open.get(key);
      if (kept) return kept.thing as never;
      const thing = Promise.resolve().then(make);
      open.set(key, { thing, close: close as (thing: never) => unknown });
      // One that could not be opened is tried anew by the next call.
      thing.catch(() => open.delete(key));
      return thing;
    },
    async close() {
      const failed: string[] = [];
      for (const { thing, close } of [...open.values()].reverse()) {
        try {
          await close((await thing) as never);
        } catch (error) {
          failed.push(messageOf(error));
        }
      }
      open.clear();
      return failed;
    },
  };
}
