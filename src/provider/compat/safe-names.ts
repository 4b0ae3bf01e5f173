import { checkArgument, isObject } from '../../json/value.ts';
import type { LoweringTarget } from './lowering-target.ts';

/** Rule for a name: allowed characters, first character and length. */
export interface NameRule {
  /** Characters that are not allowed. */
  readonly refused: RegExp;
  /** Allowed start of a name. */
  readonly start: RegExp;
  readonly longest: number;
}

const rule = (refused: RegExp, longest: number, start = /^/): NameRule => ({ refused, longest, start });
const word = /[^a-zA-Z0-9_-]/g;

/** Rules for tool names. */
export const toolRules: Readonly<Record<LoweringTarget, NameRule>> = {
  openai: rule(word, 64),
  'openai-strict': rule(word, 64),
  anthropic: rule(word, 128),
  'anthropic-strict': rule(word, 128),
  gemini: rule(/[^a-zA-Z0-9_.:-]/g, 64, /^[a-zA-Z_]/),
  'gemini-openapi': rule(/[^a-zA-Z0-9_.:-]/g, 64, /^[a-zA-Z_]/),
  plain: rule(word, 64),
};

/** Rules for call ids. `unique` means that calls in a conversation must not share one. */
export const idRules: Readonly<Record<LoweringTarget, NameRule & { readonly unique?: boolean }>> = {
  openai: rule(word, 40),
  'openai-strict': rule(word, 40),
  anthropic: { ...rule(word, 128), unique: true },
  'anthropic-strict': { ...rule(word, 128), unique: true },
  gemini: rule(/[^\s\S]/g, 1024),
  'gemini-openapi': rule(/[^\s\S]/g, 1024),
  // Services such as OpenRouter and Copilot pass requests on to OpenAI, which has this limit.
  plain: rule(word, 40),
};

/** Rules for property names, for targets that have one. */
export const propertyRules = {
  anthropic: rule(/[^a-zA-Z0-9_.-]/g, 64),
  gemini: rule(/[^a-zA-Z0-9_]/g, 64, /^[a-zA-Z_]/),
} as const;

/** Whether a name satisfies a rule. */
export const fits = (name: string, { refused, start, longest }: NameRule): boolean =>
  name !== '' && name.length <= longest && start.test(name) && name.search(refused) < 0;

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
