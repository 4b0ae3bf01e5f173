/** Writes originals with one mistake each, and looks for texts that are accepted as something else than was meant. */
import { isObject, type JsonValue } from '../../../src/json/value.ts';
import { type Random, randomFrom, seedOf } from '../random.ts';
import { valid } from '../valid.ts';
import { dialectMistakes } from './dialects/mistakes.ts';
import { rendered } from './dialects/pieces.ts';
import { readStrictPython } from './dialects/strict-python.ts';
import { dialectTemplates } from './dialects/templates.ts';
import type { Mistake } from './mistake.ts';
import { mistakes } from './mistakes.ts';
import { neighboursOf } from './neighbours.ts';
import type { Source } from './source.ts';
import type { Template } from './template.ts';
import { templates } from './templates.ts';

/** An accepted text that has another original. */
export interface Finding {
  readonly template: Template;
  readonly text: string;
  readonly accepted: JsonValue;
  readonly repairs: readonly string[];
  /** What was meant, as canonical JSON, and the mistake that makes this text of it. */
  readonly original: string;
  readonly mistake: Mistake;
  /** Whether the value is what was meant, but was read as if there were no doubt. */
  readonly certain: boolean;
  /** The mistake that makes the same text of what was accepted, where the search met it. */
  readonly other: Mistake | undefined;
}

export interface Count {
  texts: number;
  accepted: number;
  found: number;
}

export interface Search {
  readonly texts: number;
  readonly seed: number;
  /** Only mistakes and templates whose names hold this. */
  readonly mistake?: string;
  readonly template?: string;
  /**
   * Whether a share of the texts holds calls in dialects.
   * @default false
   */
  readonly dialects?: boolean;
  /** Stops when so many are found. */
  readonly enough?: number;
}

export interface Result {
  readonly texts: number;
  /** Texts that two different originals gave, whatever came of them. */
  readonly collisions: number;
  readonly counts: ReadonlyMap<Mistake, Count>;
  readonly findings: readonly Finding[];
}

/** JSON with its keys in order, so that equal values are equal text. */
export const canonical = (value: JsonValue): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

const strictly = (text: string): { readonly value: JsonValue } | undefined => {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return undefined;
  }
};

interface Checks {
  safeParse(value: unknown): { readonly success: boolean };
}
const accepts = ({ schema, json }: Template, value: JsonValue): boolean =>
  typeof (schema as Partial<Checks>).safeParse === 'function'
    ? (schema as Checks).safeParse(value).success
    : valid(value, json);

/** Nobody can tell a text that strict JSON reads and the schema takes from one that was meant so. */
const passes = (template: Template, text: string): boolean => {
  if (template.text !== undefined) return false;
  const read = strictly(text);
  return read !== undefined && accepts(template, read.value);
};

/** The same for a call in a dialect: the text is what the dialect writes for the accepted value, or plain Python. */
const isWritten = ({ text: dialect }: Template, text: string, accepted: JsonValue): boolean => {
  if (dialect === undefined) return false;
  const { row, tool } = dialect;
  if (rendered(row, tool, accepted) === text) return true;
  const [, python] = /^\s*(?:<[^<>]*>|```\w*)?([\s\S]*?)(?:<[^<>]*>|```)?\s*$/.exec(text) ?? [];
  const strict = row.group === 'E' && python !== undefined ? readStrictPython(python) : undefined;
  return strict?.name === tool && canonical(strict.value) === canonical(accepted);
};

/** Whether a value is another one without some of its keys. */
const isPartOf = (part: JsonValue, all: JsonValue): boolean =>
  isObject(part) && isObject(all)
    ? Object.entries(part).every(([key, one]) => Object.hasOwn(all, key) && isPartOf(one, all[key] as JsonValue))
    : canonical(part) === canonical(all);

/** What a text was written for, by template and text: the first original and its mistake. */
type Index = Map<string, { readonly original: string; readonly mistake: Mistake }>;

/** Some mistakes at random, and those that were made least: many apply to few originals. */
const chosen = (random: Random, apt: readonly Mistake[], counts: ReadonlyMap<Mistake, Count>): Set<Mistake> => {
  const made = (mistake: Mistake): number => counts.get(mistake)?.texts ?? 0;
  const rare = [...apt].sort((one, other) => made(one) - made(other));
  return new Set([...rare.slice(0, 24), ...random.some(6, 12, () => random.pick(apt))]);
};

/** The share of texts that hold a call in a dialect. */
const inTextShare = 0.4;

/** Searches until so many texts were tried; the same seed finds the same. */
export const search = (
  source: Source,
  { texts, seed, mistake = '', template = '', dialects = false, enough }: Search,
): Result => {
  const findings: Finding[] = [];
  const counts = new Map<Mistake, Count>();
  const index: Index = new Map();
  const named = (list: readonly Mistake[]): readonly Mistake[] => list.filter(({ name }) => name.includes(mistake));
  const [jsonMistakes, textMistakes] = [named(mistakes), named(dialectMistakes)];
  const holds = ({ name }: Template): boolean => name.includes(template);
  const jsonPool = jsonMistakes.length > 0 ? templates.filter(holds) : [];
  const textPool = dialects && textMistakes.length > 0 ? dialectTemplates.filter(holds) : [];
  let [tried, collisions, round] = [0, 0, 0];

  const attempt = (of: Template, value: JsonValue, one: Mistake, original: string, random: Random): void => {
    const text = one.write({ value, template: of }, random);
    if (text === undefined || (!one.evenStrict && passes(of, text))) return;
    tried += 1;
    const count = counts.get(one) ?? { texts: 0, accepted: 0, found: 0 };
    counts.set(one, count);
    count.texts += 1;
    const key = `${of.name}\u0000${text}`;
    const first = index.get(key);
    if (first === undefined) index.set(key, { original, mistake: one });
    else if (first.original !== original) collisions += 1;
    const read = source.read(of, text);
    if (read === undefined) return;
    count.accepted += 1;
    const accepted = canonical(read.value);
    const isMeant = one.cut ? isPartOf(read.value, value) : accepted === original && !one.lost;
    const certain =
      isMeant && read.lossless === true && (one.doubtful === true || (one.cut === true && accepted !== original));
    if (isMeant && !certain) return;
    if (!one.evenStrict && isWritten(of, text, read.value)) return;
    count.found += 1;
    const other = first !== undefined && first.original === accepted && !first.mistake.lost ? first.mistake : undefined;
    findings.push({
      template: of,
      text,
      accepted: read.value,
      repairs: read.repairs,
      original,
      mistake: one,
      certain,
      other,
    });
  };

  while (tried < texts && round < texts * 4 && (enough === undefined || findings.length < enough)) {
    const random = randomFrom(seedOf('collisions', seed, round));
    round += 1;
    const inText = textPool.length > 0 && (jsonPool.length === 0 || random.chance(inTextShare));
    const of = random.pick(inText ? textPool : jsonPool);
    const apt = inText ? textMistakes : jsonMistakes;
    const members = of.family(random);
    const family = [...members, ...neighboursOf(random.pick(members), of, random)].filter((value) =>
      accepts(of, value),
    );
    // Every member of a family meets the same mistakes: neighbours must be tried alike to collide.
    const tries = chosen(random, apt, counts);
    const choices = random.int(2 ** 31);
    for (const value of family) {
      const original = canonical(value);
      for (const one of tries) attempt(of, value, one, original, randomFrom(choices));
    }
  }
  return { texts: tried, collisions, counts, findings };
};
