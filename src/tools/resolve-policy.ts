import { defaultLimits, type Limits } from '../json/limits.ts';
import { cached } from '../json/text-cache.ts';
import { checkNames } from '../json/value.ts';
import type { Policy, Tool, ToolboxPolicy } from './tool.ts';

/** A policy without missing values. */
interface ResolvedPolicy {
  readonly check: boolean;
  readonly minCertainty: 'lossless' | 'inferred';
  readonly limits: Limits;
}

type Asked = Pick<Tool, 'name' | 'effect' | 'minCertainty' | 'policy'>;

/**
 * The policy for a call: for each setting, the strictest of the toolbox, the tool and the call. In a toolbox, the
 * policy for a name overrides the general one. Of several matching patterns the one with more literal characters wins,
 * of equal ones the later. A destructive tool only accepts lossless repairs, unless it sets more itself.
 */
export function resolvePolicy(toolbox: ToolboxPolicy = {}, tool: Asked, call?: Policy): ResolvedPolicy {
  if (call !== undefined) return resolve(toolbox, tool, call);
  const byTool = cached(kept, toolbox, () => new WeakMap());
  return cached(byTool, tool, () => resolve(toolbox, tool, {}));
}

/** Policies and tools don't change, so results without a call policy are cached. */
const kept = new WeakMap<ToolboxPolicy, WeakMap<Asked, ResolvedPolicy>>();

/** Throws for settings and values that don't exist, because a typo must not make a policy weaker. */
export function checkPolicy(policy: ToolboxPolicy | undefined, more: readonly string[] = []): void {
  const { limits, minCertainty, tools } = policy ?? {};
  checkNames(policy, ['check', 'minCertainty', 'limits', ...more], 'setting of a policy');
  checkNames(limits, Object.keys(defaultLimits), 'limit of a policy');
  if (minCertainty) checkNames({ [minCertainty]: 1 }, ['lossless', 'inferred'], 'minCertainty of a policy');
  for (const one of Object.values(tools ?? {})) checkPolicy(one);
}

function resolve(toolbox: ToolboxPolicy, tool: Asked, call: Policy): ResolvedPolicy {
  checkPolicy(call);
  const own: Policy = { ...tool.policy, ...(tool.minCertainty && { minCertainty: tool.minCertainty }) };
  const shared = [toolbox, ...byName(toolbox, tool.name)];
  const limits = Object.assign({}, ...shared.map((one) => one.limits));
  const all: Policy[] = [Object.assign({}, ...shared.map(said), { limits }), own, call];
  const [checks, accepts] = [all.map(({ check }) => check), all.map(({ minCertainty: accept }) => accept)];
  const exact = accepts.includes('lossless') || (tool.effect === 'destructive' && own.minCertainty !== 'inferred');
  return {
    check: checks.includes(true) || !checks.includes(false),
    minCertainty: exact ? 'lossless' : 'inferred',
    limits: {
      depth: least(all, 'depth'),
      size: least(all, 'size'),
      keys: least(all, 'keys'),
    },
  };
}

/** The settings of a policy that are defined. */
const said = ({ check, minCertainty: accept }: Policy): Policy => ({
  ...(check !== undefined && { check }),
  ...(accept !== undefined && { minCertainty: accept }),
});

/** The lowest defined limit, otherwise the default. */
function least(policies: readonly Policy[], name: keyof Limits): number {
  const named = policies.flatMap(({ limits }) => limits?.[name] ?? []);
  return named.length > 0 ? Math.min(...named) : defaultLimits[name];
}

/** The policies for a name, least specific first. A name without `*` is the most specific. */
function byName({ tools = {} }: ToolboxPolicy, name: string): Policy[] {
  const weigh = (pattern: string): number =>
    pattern.includes('*') ? pattern.replaceAll('*', '').length : Number.POSITIVE_INFINITY;
  return Object.entries(tools)
    .filter(([pattern]) => fitsPattern(name, pattern))
    .sort(([a], [b]) => weigh(a) - weigh(b))
    .map(([, policy]) => policy);
}

/** Whether a name matches a pattern. Doesn't use a regular expression, so that `*` can't be slow. */
export function fitsPattern(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}
