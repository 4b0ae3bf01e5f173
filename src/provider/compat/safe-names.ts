import { fits, type NameRule } from './name-rules.ts';

/** Names as a provider takes them, and the way back. */
export interface SafeNames {
  /** The name to send; a name that was not asked for comes back as it is. */
  safe(name: string): string;
  /** The name that was meant by one that came back. */
  original(name: string): string;
  /** Those that had to change: from, to. */
  readonly changed: ReadonlyMap<string, string>;
}

/**
 * Makes names fit a rule: the same names give the same result, no two become one, and a name that fits stays.
 *
 * @example safeNames(['files.read'], toolRules.openai).safe('files.read') // files_read
 */
export function safeNames(names: Iterable<string>, rule: NameRule): SafeNames {
  const all = new Set(names);
  const taken = new Set([...all].filter((name) => fits(name, rule)));
  const changed = new Map<string, string>();
  const back = new Map<string, string>();
  // In the order of the alphabet, so that a tool added in front changes no other tool's name.
  for (const name of [...all].filter((one) => !taken.has(one)).sort()) {
    const safe = fresh(name, rule, taken);
    taken.add(safe);
    changed.set(name, safe);
    back.set(safe, name);
  }
  return {
    safe: (name) => changed.get(name) ?? name,
    original: (name) => back.get(name) ?? name,
    changed,
  };
}

/** A name that fits and that nobody has: what can stay of it, and a mark made of the whole where that is not enough. */
function fresh(name: string, rule: NameRule, taken: ReadonlySet<string>): string {
  const kept = name.replace(rule.refused, '_');
  const begun = rule.start.test(kept) ? kept : `_${kept}`;
  const tells = (kept.match(/[a-zA-Z0-9]/g)?.length ?? 0) * 2 >= name.length;
  if (tells && fits(begun, rule) && !taken.has(begun)) return begun;
  for (let turn = 0; ; turn++) {
    const mark = `_${hash(name + '\0'.repeat(turn))}`;
    const base = /[a-zA-Z0-9]/.test(begun) ? begun.slice(0, rule.longest - mark.length) : 'name';
    const marked = `${base}${mark}`;
    if (!taken.has(marked)) return marked;
  }
}

/** Eight digits that tell texts apart (FNV-1a); uniqueness does not hang on it. */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
