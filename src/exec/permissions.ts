import type { Effect } from '../tool/tool.ts';
import type { CallToDecide, PermissionDecision, Permissions } from './permission.ts';
import { type PermissionRule, permissionRule } from './permission-rule.ts';

/** What holds where no rule speaks. */
export type PermissionMode =
  /** Everything runs. */
  | 'auto'
  /** What only reads runs; the rest is asked for. */
  | 'ask'
  /** What only reads runs; the rest is refused. */
  | 'readonly';

export interface PermissionOptions {
  readonly mode?: PermissionMode;
  /** Calls that run unasked. */
  readonly allow?: readonly string[];
  /** Calls that never run. Goes before all else. */
  readonly deny?: readonly string[];
  /** Calls a person is asked about. Goes before `allow`. */
  readonly ask?: readonly string[];
}

/**
 * Rules for which calls may run: deny, then ask, then allow, then the mode.
 *
 * @example
 * permissions({ mode: 'ask', allow: ['write_file(path=src/*)'], deny: ['shell(command=*rm *)'] })
 */
export function permissions(options: PermissionOptions = {}): Permissions {
  const { mode = 'auto' } = options;
  const [deny, ask, allow] = [options.deny, options.ask, options.allow].map((rules = []) => rules.map(permissionRule));
  return {
    decide({ name, input, tool }) {
      const refused = find(deny, name, input, 'any');
      if (refused) return { type: 'deny', reason: `the rule ${refused.text} forbids it` };
      const asked = find(ask, name, input, 'any');
      if (asked) return { type: 'ask', reason: `the rule ${asked.text} asks`, rule: asked.text };
      if (find(allow, name, input, 'every')) return { type: 'allow' };
      return byMode[mode](name, tool.effect);
    },
  };
}

type ByMode = (name: CallToDecide['name'], effect: Effect) => PermissionDecision;

const byMode: Readonly<Record<PermissionMode, ByMode>> = {
  auto: () => ({ type: 'allow' }),
  ask: (name, effect) =>
    effect === 'read' ? { type: 'allow' } : { type: 'ask', reason: effectWords[effect], rule: name },
  readonly: (_, effect) =>
    effect === 'read' ? { type: 'allow' } : { type: 'deny', reason: 'only tools that read may run here' },
};

const effectWords: Readonly<Record<Effect, string>> = {
  read: 'it reads',
  write: 'it may change something',
  destructive: 'it may destroy something',
};

const find = (
  rules: readonly PermissionRule[] | undefined,
  name: string,
  input: unknown,
  how: 'every' | 'any',
): PermissionRule | undefined => rules?.find((rule) => rule.matches(name, input, how));
