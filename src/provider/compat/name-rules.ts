import type { LoweringTarget } from './lowering-target.ts';

/** What a name must be like: its characters, what it may begin with, and its length. */
export interface NameRule {
  /** What may not stand in a name. */
  readonly refused: RegExp;
  /** What a name must begin with. */
  readonly start: RegExp;
  readonly longest: number;
}

const rule = (refused: RegExp, longest: number, start = /^/): NameRule => ({ refused, longest, start });
const word = /[^a-zA-Z0-9_-]/g;

/** What the names of tools must be like. */
export const toolRules: Readonly<Record<LoweringTarget, NameRule>> = {
  openai: rule(word, 64),
  'openai-strict': rule(word, 64),
  anthropic: rule(word, 128),
  'anthropic-strict': rule(word, 128),
  gemini: rule(/[^a-zA-Z0-9_.:-]/g, 64, /^[a-zA-Z_]/),
  'gemini-openapi': rule(/[^a-zA-Z0-9_.:-]/g, 64, /^[a-zA-Z_]/),
  plain: rule(word, 64),
};

/** What the ids of calls must be like; `unique`: no two calls of a conversation may share one. */
export const idRules: Readonly<Record<LoweringTarget, NameRule & { readonly unique?: boolean }>> = {
  openai: rule(word, 40),
  'openai-strict': rule(word, 40),
  anthropic: { ...rule(word, 128), unique: true },
  'anthropic-strict': { ...rule(word, 128), unique: true },
  gemini: rule(/[^\s\S]/g, 1024),
  'gemini-openapi': rule(/[^\s\S]/g, 1024),
  plain: rule(word, 64),
};

/** What the names of properties must be like, where a target minds. */
export const propertyRules = {
  anthropic: rule(/[^a-zA-Z0-9_.-]/g, 64),
  gemini: rule(/[^a-zA-Z0-9_]/g, 64, /^[a-zA-Z_]/),
} as const;

/** Whether a name is one that the rule takes. */
export const fits = (name: string, { refused, start, longest }: NameRule): boolean =>
  name !== '' && name.length <= longest && start.test(name) && name.search(refused) < 0;
