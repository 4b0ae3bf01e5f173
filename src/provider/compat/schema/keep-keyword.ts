import { isObject, type Path } from '../../../json/value.ts';
import type { SchemaObject } from '../../../schema/types.ts';
import { subschemas } from '../../../schema/validate/refs.ts';
import { describeKeyword } from './describe-keyword.ts';
import { recordChange } from './flatten.ts';
import type { Lowered, Lowering } from './state.ts';
import { everyKeyword } from './target-rules.ts';
import { typesIn } from './types-in.ts';

/**
 * Lowers a keyword that doesn't depend on others: kept if the target accepts its value, otherwise approximated or
 * described.
 */
export function keepKeyword(word: string, held: unknown, flat: SchemaObject, at: Path, to: Lowering): Lowered {
  const { rules } = to;
  const why = refusal(word, held, flat, to);
  if (why === undefined) return { words: { [word]: held }, said: [] };
  const nearest = Object.hasOwn(bounds, word) ? bounds[word]?.(held, flat) : undefined;
  if (nearest?.exact && rules.words.has(nearest.word)) {
    recordChange(to, at, word, 'rewritten', `expressed with ${nearest.word}`);
    return { words: { [nearest.word]: nearest.limit }, said: [] };
  }
  const sentence = describeKeyword(word, held);
  recordChange(to, at, word, sentence === undefined ? 'dropped' : 'described', why);
  const words = nearest && rules.words.has(nearest.word) ? { [nearest.word]: nearest.limit } : {};
  return { words, said: sentence === undefined ? [] : [sentence] };
}

/** Why a target rejects a keyword with this value; undefined if it doesn't. */
function refusal(word: string, held: unknown, flat: SchemaObject, { rules }: Lowering): string | undefined {
  if (!rules.words.has(word)) {
    if (rules.open && !everyKeyword.has(word) && !word.startsWith('$')) return undefined;
    return everyKeyword.has(word) ? 'the keyword is rejected' : 'the keyword is unknown';
  }
  if (word === 'format') return formatRefusal(held, flat, rules.formats);
  if (word === 'pattern' && rules.notInPatterns?.test(String(held)))
    return 'lookaround and backreferences are rejected';
  if (typeof held === 'number' && /^(?:min|max)(?:Length|Items)$/.test(word)) {
    if (rules.largest !== undefined && held > rules.largest)
      return `numbers over ${rules.largest} make the grammar fail`;
    if (word === 'minItems' && rules.minItems !== undefined && held > rules.minItems)
      return `it may be ${rules.minItems} at most`;
  }
  return isObject(held) && holdsRef(held as SchemaObject) ? 'it contains references' : undefined;
}

const numberFormats = new Set(['int32', 'int64', 'float', 'double']);

function formatRefusal(held: unknown, flat: SchemaObject, formats: ReadonlySet<string> | undefined) {
  if (formats === undefined) return undefined;
  const ofNumbers = typesIn(flat)?.some((type) => type === 'number' || type === 'integer') ?? false;
  const known = formats.has(String(held)) && numberFormats.has(String(held)) === ofNumbers;
  return known ? undefined : `the format ${JSON.stringify(held)} is rejected`;
}

/** Whether a keyword's value contains a reference, which would break if passed on unchanged. */
function holdsRef(schema: SchemaObject): boolean {
  const open: unknown[] = [schema];
  for (let turn = 0; turn < open.length && turn < 1000; turn++) {
    const one = open[turn];
    if (!isObject(one)) continue;
    if (typeof one.$ref === 'string') return true;
    // Keywords such as `dependentSchemas` contain schemas by name, which `subschemas` doesn't visit at this level.
    for (const [sub] of subschemas(one as SchemaObject)) open.push(sub);
    if (one === schema) open.push(...Object.values(one));
  }
  return open.length >= 1000;
}

interface Nearest {
  readonly word: string;
  readonly limit: number;
  /** Whether the meaning is the same. */
  readonly exact: boolean;
}

const exclusive =
  (word: 'minimum' | 'maximum', step: 1 | -1) =>
  (held: unknown, flat: SchemaObject): Nearest | undefined => {
    if (typeof held !== 'number') return undefined;
    const types = typesIn(flat) ?? [];
    const whole = types.includes('integer') && !types.includes('number');
    const limit = !whole ? held : step > 0 ? Math.floor(held) + 1 : Math.ceil(held) - 1;
    const known = flat[word];
    const tighter = step > 0 ? Math.max : Math.min;
    return { word, limit: typeof known === 'number' ? tighter(known, limit) : limit, exact: whole };
  };

/** Approximates a bound with another keyword or value. */
const bounds: Readonly<Record<string, (held: unknown, flat: SchemaObject) => Nearest | undefined>> = {
  exclusiveMinimum: exclusive('minimum', 1),
  exclusiveMaximum: exclusive('maximum', -1),
  minItems: (held) => (typeof held === 'number' && held > 1 ? { word: 'minItems', limit: 1, exact: false } : undefined),
};
