import type { JsonSchema } from '../schema/json-schema.ts';
import { findTool } from '../tool/find-tool.ts';
import type { Tool } from '../tool/tool.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import { choosePrompted } from './prompted-choose.ts';
import { saysNone } from './prompted-none.ts';
import { type PromptedRegion, promptedRegions } from './prompted-regions.ts';
import type { Known, PromptedCall } from './prompted-shape.ts';

export type { PromptedCall } from './prompted-shape.ts';

/** What an answer holds. */
export interface PromptedReading {
  readonly calls: PromptedCall[];
  /** What is left for the user. */
  readonly text: string;
  readonly dialect: string;
}

/**
 * Reads the answer of a model that was asked to answer in calls, in every way such answers come: Python calls or JSON,
 * in lists, wrappers, fences or prose.
 */
export function readPrompted(text: string, toolbox: Toolbox | undefined): PromptedReading {
  const known = knownOf(toolbox);
  const regions = choosePrompted(text, promptedRegions(text, known));
  const calls = regions.flatMap((region) => region.calls).filter(({ name }) => known.has(name) || !saysNone(name));
  const left = regions.length === 0 ? text : cutOut(text, regions);
  return { calls, text: left, dialect: regions[0]?.dialect ?? 'content-only' };
}

function knownOf(toolbox: Toolbox | undefined): Omit<Known, 'fill'> {
  const found = new Map<string, Tool | undefined>();
  const tool = (name: string): Tool | undefined => {
    if (!toolbox) return undefined;
    if (!found.has(name)) found.set(name, findTool(name, toolbox).tool);
    return found.get(name);
  };
  return {
    any: toolbox === undefined || toolbox.size === 0,
    has: (name) => tool(name) !== undefined,
    schema: (name): JsonSchema | undefined => tool(name)?.schema.json,
  };
}

function cutOut(text: string, regions: readonly PromptedRegion[]): string {
  let left = '';
  let at = 0;
  for (const { start, end } of regions) {
    left += text.slice(at, start);
    at = end;
  }
  return (left + text.slice(at)).replace(/```[a-z]*\s*```/gi, '').trim();
}
