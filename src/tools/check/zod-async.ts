import { isObject } from '../../json/value.ts';

type Plain = Record<string, unknown>;
type Waits = 'no' | 'maybe' | 'yes';

const isAsync = (value: unknown): boolean =>
  typeof value === 'function' && Object.prototype.toString.call(value) === '[object AsyncFunction]';

/** The definition of a Zod 4 schema or check. */
const definition = (value: unknown): Plain | undefined =>
  isObject(value) && isObject(value._zod) && isObject(value._zod.def) ? (value._zod.def as Plain) : undefined;

/**
 * Whether a Zod 4 schema is asynchronous, as far as that can be determined without running it, which would compile it.
 * Only refinements and transforms can be asynchronous, and a function without `async` may still return a promise.
 */
export function zodWaits(schema: unknown): Waits {
  let waits: Waits = definition(schema) ? 'no' : 'maybe';
  const open = new Set<unknown>([schema]);
  for (const one of open) {
    const def = definition(one);
    if (def) {
      if (isAsync(def.fn) || isAsync(def.transform)) return 'yes';
      if (def.check === 'custom' || def.type === 'custom' || def.type === 'transform') waits = 'maybe';
    }
    const held = def ?? one;
    if (Array.isArray(held) || isPlain(held)) for (const part of Object.values(held)) if (mayHold(part)) open.add(part);
  }
  return waits;
}

/** Definitions contain plain objects and lists. Anything else is a value of the schema. */
const isPlain = (value: unknown): value is Plain => {
  const prototype: unknown = isObject(value) ? Object.getPrototypeOf(value) : undefined;
  return prototype === Object.prototype || prototype === null;
};

const mayHold = (part: unknown): boolean => definition(part) !== undefined || Array.isArray(part) || isPlain(part);
