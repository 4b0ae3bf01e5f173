import { checkArgument, isObject } from '../../json/value.ts';
import { fits, type NameRule } from './name-rules.ts';

/** Names that a provider accepts, and the original names. */
export interface SafeNames {
  /** The name to send; an unknown name is returned unchanged. */
  safe(name: string): string;
  /** The original of a sent name. */
  original(name: string): string;
  /** Changed names: original → sent. */
  readonly changed: ReadonlyMap<string, string>;
}

/**
 * Adapts names to a rule. The result is deterministic, names stay unique, and valid names don't change.
 *
 * @example safeNames(['files.read'], toolRules.openai).safe('files.read') // files_read
 */
export function safeNames(names: Iterable<string>, rule: NameRule): SafeNames {
  checkArgument(Symbol.iterator in Object(names), 'names', 'a list of names', names);
  checkArgument(isObject(rule), 'rule', 'a rule such as toolRules.openai', rule);
  const all = new Set(names);
  const taken = new Set([...all].filter((name) => fits(name, rule)));
  const changed = new Map<string, string>();
  const back = new Map<string, string>();
  // Sorted, so that adding a tool doesn't rename others.
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

/** A valid, unused name: the original with characters replaced, plus a hash if that isn't enough. */
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

/** Eight hex digits (FNV-1a). Names stay unique even if two hashes collide. */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
