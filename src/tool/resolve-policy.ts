import { defaultLimits, type Limits } from '../json/limits.ts';
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
  return call === undefined ? keptFor(toolbox, tool) : resolve(toolbox, tool, call);
}

const kept = new WeakMap<ToolboxPolicy, WeakMap<Asked, ResolvedPolicy>>();

/** Policies and tools do not change, so that without a policy of the call the answer is worked out once. */
function keptFor(toolbox: ToolboxPolicy, tool: Asked): ResolvedPolicy {
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

function resolve(toolbox: ToolboxPolicy, tool: Asked, call: Policy): ResolvedPolicy {
  const own: Policy = tool.accept === undefined ? (tool.policy ?? {}) : { ...tool.policy, accept: tool.accept };
  // Nearest first, so that the first answer counts.
  const policies = [call, own, ...byName(toolbox, tool.name), toolbox];
  return {
    check: policies.find(({ check }) => check !== undefined)?.check ?? true,
    accept: tool.effect === 'destructive' ? acceptedByDestructive(own, call) : (accepted(policies) ?? 'inferred'),
    limits: limitsOf(policies),
  };
}

const accepted = (policies: readonly Policy[]) => policies.find(({ accept }) => accept !== undefined)?.accept;

const acceptedByDestructive = (own: Policy, call: Policy) =>
  own.accept === 'inferred' && call.accept !== 'lossless' ? 'inferred' : 'lossless';

function limitsOf(policies: readonly Policy[]): Limits {
  if (policies.every(({ limits }) => limits === undefined)) return defaultLimits;
  const limit = (name: keyof Limits): number =>
    policies.find(({ limits }) => limits?.[name] !== undefined)?.limits?.[name] ?? defaultLimits[name];
  return { depth: limit('depth'), size: limit('size'), keys: limit('keys') };
}

interface NamedPolicy {
  readonly fits: (name: string) => boolean;
  readonly policy: Policy;
}

const none: readonly NamedPolicy[] = [];
const read = new WeakMap<object, readonly NamedPolicy[]>();

function byName({ tools }: ToolboxPolicy, name: string): Policy[] {
  if (!tools) return [];
  let named = read.get(tools) ?? none;
  if (named === none) {
    named = inOrder(tools);
    read.set(tools, named);
  }
  return named.filter(({ fits }) => fits(name)).map(({ policy }) => policy);
}

function inOrder(tools: Readonly<Record<string, Policy>>): NamedPolicy[] {
  return Object.entries(tools)
    .map(([pattern, policy], place) => ({ policy, place, fits: fitter(pattern), weight: weightOf(pattern) }))
    .sort((a, b) => b.weight - a.weight || b.place - a.place);
}

/** A name without `*` is meant for one tool, so it goes before every pattern. */
const weightOf = (pattern: string): number =>
  pattern.includes('*') ? pattern.replaceAll('*', '').length : Number.MAX_SAFE_INTEGER;

/** Whether a name fits a pattern, piece by piece from the left; no regular expression, so that `*` can't be slow. */
function fitter(pattern: string): (name: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (name) => name === first;
  return (name) => {
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const piece of rest) {
      const found = name.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= name.length - last.length;
  };
}
