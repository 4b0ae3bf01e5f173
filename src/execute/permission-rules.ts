import type { Problem } from '../json/problem.ts';
import { checkArgument, checkNames, isObject } from '../json/value.ts';
import type { Decision } from '../log/events.ts';
import { ConfigurationValidationError } from '../tools/config-error.ts';
import type { Effect, Tool } from '../tools/tool.ts';
import { fitsPieces, rulePattern } from './rule-pattern.ts';

/** A checked call that is about to run. */
// biome-ignore lint/suspicious/noExplicitAny: hooks and rules may name any type, because the agent decides what it is.
export interface CallToDecide<Context = any> {
  /** Id of the run, if the call belongs to one. */
  readonly run?: string;
  /** The context of the run. */
  readonly context?: Context;
  readonly callId: string;
  readonly tool: Tool;
  readonly name: string;
  /** The mended arguments, which a person sees and can edit. */
  readonly input: unknown;
}

/** The decision of the permission rules. */
export type PermissionDecision =
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly reason: string }
  /**
   * Needs approval. `rule` is what an `always` decision would cover. `others` are further rules that match the call, in
   * order: an `always` on `rule` doesn't cover them.
   */
  | ({ readonly type: 'ask'; readonly others?: readonly AskReason[] } & AskReason);

/** A rule that requires approval, and why. */
export interface AskReason {
  readonly rule: string;
  readonly reason: string;
}

/** Permission rules. They contain no decisions: an `always` belongs to one run. */
export interface Permissions {
  decide(call: CallToDecide): PermissionDecision;
}

/** An approval request. */
export interface ApprovalRequest extends CallToDecide {
  readonly reason: string;
  readonly rule: string;
  /** Why the previous edit is invalid. The request stays open until there is a valid decision. */
  readonly problems?: readonly Problem[];
}

/** Decides about calls. Returns undefined to leave the call pending. */
export type Approver = (
  call: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Decision | undefined | Promise<Decision | undefined>;

/** What applies if no rule matches. */
export type PermissionMode =
  /** All calls run. */
  | 'auto'
  /** Read-only calls run; others need approval. */
  | 'ask'
  /** Read-only calls run; others are denied. */
  | 'readonly';

export interface PermissionOptions {
  readonly mode?: PermissionMode;
  /** Calls that run without approval. */
  readonly allow?: readonly string[];
  /** Calls that never run. Has precedence over all others. */
  readonly deny?: readonly string[];
  /** Calls that need approval. Has precedence over `allow`. */
  readonly ask?: readonly string[];
}

/**
 * Creates permission rules: deny, then ask, then allow, then the mode.
 *
 * @example
 * permissions({ mode: 'ask', allow: ['write_file(path=src/*)'], deny: ['shell(command=*rm *)'] })
 */
export function permissions(options: PermissionOptions = {}): Permissions {
  checkArgument(isObject(options), 'options', '{ mode, deny, ask, allow }', options);
  checkNames(options, ['mode', 'deny', 'ask', 'allow'], 'option of permissions()');
  const { mode = 'auto' } = options;
  checkNames({ [mode]: 1 }, Object.keys(byMode), 'permission mode');
  const [deny, ask, allow] = [options.deny, options.ask, options.allow].map((rules = []) => rules.map(permissionRule));
  return {
    decide({ name, input, tool }) {
      const [refused] = matching(deny, name, input, 'any');
      if (refused) return { type: 'deny', reason: `the rule ${refused.text} forbids it` };
      const asking = matching(ask, name, input, 'any').map(({ text }) => ({
        rule: text,
        reason: `the rule ${text} requires approval`,
      }));
      const [first, ...others] = asking;
      if (first) return { type: 'ask', ...first, ...(others.length > 0 && { others }) };
      if (matching(allow, name, input, 'every').length > 0) return { type: 'allow' };
      return byMode[mode](name, tool.effect);
    },
  };
}

/** Throws unless a value is a set of rules, and not their options. */
export const checkPermissions = (rules: Permissions | undefined): void =>
  checkArgument(
    rules === undefined || typeof rules?.decide === 'function',
    'permissions',
    'the result of permissions()',
    rules,
  );

type ByMode = (name: CallToDecide['name'], effect: Effect) => PermissionDecision;

const byMode: Readonly<Record<PermissionMode, ByMode>> = {
  auto: () => ({ type: 'allow' }),
  ask: (name, effect) =>
    effect === 'read' ? { type: 'allow' } : { type: 'ask', reason: effectWords[effect], rule: name },
  readonly: (_, effect) =>
    effect === 'read' ? { type: 'allow' } : { type: 'deny', reason: 'only read-only tools may run here' },
};

const effectWords: Readonly<Record<Effect, string>> = {
  read: 'it reads',
  write: 'it may change something',
  destructive: 'it may destroy something',
};

const matching = (
  rules: readonly PermissionRule[] | undefined,
  name: string,
  input: unknown,
  how: 'every' | 'any',
): readonly PermissionRule[] => rules?.filter((rule) => rule.matches(name, input, how)) ?? [];

/** A parsed rule. */
interface PermissionRule {
  /** The rule as written. */
  readonly text: string;
  /** `every`: all values at a path must be present and match narrowly. `any`: one wide match is enough. */
  matches(name: string, input: unknown, how: 'every' | 'any'): boolean;
}

const form = /^([^()\s]+)(?:\((.*)\))?$/s;

/**
 * Parses a rule: a name in which `*` matches any text, and conditions on arguments in parentheses.
 *
 * @example
 * permissionRule('mcp__github__*')
 * permissionRule('write_file(path=src/*)')
 * permissionRule('move(from=/tmp/*, to=/tmp/*)')
 */
function permissionRule(text: string): PermissionRule {
  const [, name, list] = form.exec(text.trim()) ?? [];
  if (name === undefined) throw badRule(text);
  const pieces = name.split('*');
  const conditions = (list ?? '')
    .split(/,(?=[^=,]+=)/)
    .filter((one) => one.trim() !== '')
    .map((one) => condition(one, text));
  return {
    text,
    matches: (called, input, how) => fitsPieces(called, pieces) && conditions.every((holds) => holds(input, how)),
  };
}

type Condition = (input: unknown, how: 'every' | 'any') => boolean;

function condition(written: string, rule: string): Condition {
  const at = written.indexOf('=');
  if (at <= 0) throw badRule(rule);
  const path = written.slice(0, at).trim().split('.');
  const { narrow, wide } = rulePattern(written.slice(at + 1).trim());
  return (input, how) => {
    if (how === 'any') return textsAt(input, path).some(wide);
    const values = valuesAt(input, path);
    return values.length > 0 && values.every((value) => value !== undefined && narrow(textOf(value)));
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** The value at a path in each item that it selects; undefined in those that lack it. `*` selects each item of a list. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value];
  if (Array.isArray(value)) return key === '*' ? value.flatMap((item) => valuesAt(item, rest)) : [undefined];
  return isObject(value) && Object.hasOwn(value, key) ? valuesAt(value[key], rest) : [undefined];
}

/**
 * Every text that a rule which forbids looks at: the values at a path, and the texts in them. A list, or a text, where
 * the path expects an object counts too, because a tool may accept both.
 */
function textsAt(value: unknown, path: readonly string[]): string[] {
  const [key, ...rest] = path;
  if (key === undefined) return textsIn(value);
  if (Array.isArray(value)) return value.flatMap((item) => textsOfItem(item, key === '*' ? rest : path));
  if (key === '*') return textsAt(value, rest);
  return isObject(value) && Object.hasOwn(value, key) ? textsAt(value[key], rest) : [];
}

const textsOfItem = (item: unknown, path: readonly string[]): string[] =>
  typeof item === 'string' ? [item] : textsAt(item, path);

const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? [textOf(value), ...Object.values(value).flatMap(textsIn)]
    : [textOf(value)];

const badRule = (text: string): ConfigurationValidationError =>
  new ConfigurationValidationError(
    `The permission rule ${JSON.stringify(text)} is invalid. Use a name such as read_*, or a name with arguments such as write_file(path=src/*).`,
    { configType: 'permissions', field: 'rule' },
  );
