import { defaultLimits, type Limits } from '../json/limits.ts';
import { fitsPattern } from './fits-pattern.ts';
import type { Policy, ToolboxPolicy } from './policy.ts';
import type { Tool } from './tool.ts';

/** A policy with every question answered. */
export interface ResolvedPolicy {
  readonly check: boolean;
  readonly accept: 'lossless' | 'inferred';
  readonly limits: Limits;
}

type Asked = Pick<Tool, 'name' | 'effect' | 'accept' | 'policy'>;

/**
 * What holds for one call: the call's policy goes before the tool's, the tool's before the toolbox's for its name,
 * that before the toolbox's for all. Of several patterns that fit a name, the one with more letters of its own goes
 * first; of equals, the later. A destructive tool takes lossless repairs only, unless the tool itself says more: a
 * toolbox or a call can make that stricter, never looser.
 */
export function resolvePolicy(toolbox: ToolboxPolicy = {}, tool: Asked, call?: Policy): ResolvedPolicy {
  if (call !== undefined) return resolve(toolbox, tool, call);
  let byTool = kept.get(toolbox);
  if (!byTool) {
    byTool = new WeakMap();
    kept.set(toolbox, byTool);
  }
  let resolved = byTool.get(tool);
  if (!resolved) {
    resolved = resolve(toolbox, tool, {});
    byTool.set(tool, resolved);
  }
  return resolved;
}

/** Policies and tools do not change, so that without a policy of the call the answer is worked out once. */
const kept = new WeakMap<ToolboxPolicy, WeakMap<Asked, ResolvedPolicy>>();

function resolve(toolbox: ToolboxPolicy, tool: Asked, call: Policy): ResolvedPolicy {
  const own: Policy = { ...tool.policy, ...(tool.accept && { accept: tool.accept }) };
  // The furthest first, so that the nearest has the last word.
  const { check, accept, limits } = [toolbox, ...byName(toolbox, tool.name), own, call].reduce<ResolvedPolicy>(
    (far, near) => ({
      check: near.check ?? far.check,
      accept: near.accept ?? far.accept,
      limits: near.limits ? { ...far.limits, ...near.limits } : far.limits,
    }),
    { check: true, accept: 'inferred', limits: defaultLimits },
  );
  const loosened = own.accept === 'inferred' && call.accept !== 'lossless';
  return { check, accept: tool.effect === 'destructive' && !loosened ? 'lossless' : accept, limits };
}

/** The policies for a name, the least special first: a name without `*` is meant for one tool. */
function byName({ tools = {} }: ToolboxPolicy, name: string): Policy[] {
  const weigh = (pattern: string): number =>
    pattern.includes('*') ? pattern.replaceAll('*', '').length : Number.POSITIVE_INFINITY;
  return Object.entries(tools)
    .filter(([pattern]) => fitsPattern(name, pattern))
    .sort(([a], [b]) => weigh(a) - weigh(b))
    .map(([, policy]) => policy);
}
