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
  plain: rule(word, 64),
};

/** Rules for property names, for targets that have one. */
export const propertyRules = {
  anthropic: rule(/[^a-zA-Z0-9_.-]/g, 64),
  gemini: rule(/[^a-zA-Z0-9_]/g, 64, /^[a-zA-Z_]/),
} as const;

/** Whether a name satisfies a rule. */
export const fits = (name: string, { refused, start, longest }: NameRule): boolean =>
  name !== '' && name.length <= longest && start.test(name) && name.search(refused) < 0;
