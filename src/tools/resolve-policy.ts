import { defaultLimits, type Limits } from '../json/limits.ts';
import type { Policy, Tool, ToolboxPolicy } from './tool.ts';

/** A policy with every question answered. */
interface ResolvedPolicy {
  readonly check: boolean;
  readonly minCertainty: 'lossless' | 'inferred';
  readonly limits: Limits;
}

type Asked = Pick<Tool, 'name' | 'effect' | 'minCertainty' | 'policy'>;

/**
 * What holds for one call: of the toolbox's policy, the tool's and the call's the stricter one, question by question.
 * Inside a toolbox the policy for a name is an exception from the policy for all; of several patterns that fit, the one
 * with more letters of its own counts; of equals, the later. A destructive tool takes lossless repairs only, unless the
 * tool itself says more.
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

/** What a policy answers: a question left open hides no answer before it. */
const said = ({ check, minCertainty: accept }: Policy): Policy => ({
  ...(check !== undefined && { check }),
  ...(accept !== undefined && { minCertainty: accept }),
});

/** The lowest of the limits that are said, else the default. */
function least(policies: readonly Policy[], name: keyof Limits): number {
  const named = policies.flatMap(({ limits }) => limits?.[name] ?? []);
  return named.length > 0 ? Math.min(...named) : defaultLimits[name];
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

/** Whether a name fits a pattern, piece by piece from the left; no regular expression, so that `*` can't be slow. */
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
