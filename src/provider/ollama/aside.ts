import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { TurnEnd } from '../turn-assembly.ts';
import { carried } from './carried.ts';
import { oddWord, readFinish } from './finish.ts';
import { readUsage, usageFields } from './usage.ts';

/** What is read, and the one key that is never carried: it would be a prototype. */
const known = new Set(['__proto__', 'model', 'message', 'done', 'done_reason', ...usageFields]);

/** Takes from a body or frame what it says besides: times, durations, whatever comes tomorrow. */
export function takeAside(aside: JsonObject, wire: JsonObject, except: readonly string[] = []): void {
  for (const key in wire) if (!known.has(key) && !except.includes(key)) aside[key] = wire[key] as JsonValue;
}

/** How the answer ended, by its last frame or its whole body, and what is carried along with it. */
export function endOf(wire: JsonObject, aside: JsonObject): TurnEnd {
  return {
    finish: readFinish(wire.done_reason),
    usage: readUsage(wire),
    extra: carried({ ...aside, ...oddWord(wire.done_reason), ...(wire.done !== true && { done: wire.done ?? null }) })
      .extra,
  };
}
