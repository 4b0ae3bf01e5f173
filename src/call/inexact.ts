import { fieldName } from '../json/field-name.ts';
import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { Tool } from '../tool/tool.ts';

/** What a tool that takes only lossless repairs must be told: the check's own words, else what was inferred. */
export function inexact(repairs: readonly Repair[], tool: Tool, received: unknown): readonly Problem[] {
  const unsure = repairs.filter(({ certainty }) => certainty !== 'lossless');
  if (unsure.length === 0) return [];
  const checked = tool.schema.check(received);
  if (!checked.ok) return [...checked.problems, ...respelled(unsure)];
  return unsure.map(({ path, before, after }) => ({
    path,
    code: 'not_exact',
    received: before,
    message: `${fieldName(path)} must be written exactly${shown(after)}: this tool does not run on inferred arguments`,
  }));
}

/** A key that would have been renamed is named, so that its field does not just look missing. */
const respelled = (repairs: readonly Repair[]): Problem[] =>
  repairs
    .filter(({ kind }) => kind === 'key')
    .map(({ path, before }) => {
      const given = [...path.slice(0, -1), String(before)];
      return {
        path: given,
        code: 'unknown',
        message: `${fieldName(given)} is not known; did you mean '${path.at(-1)}'?`,
      };
    });

const shown = (after: unknown): string => (after === undefined ? '' : `, as ${JSON.stringify(after).slice(0, 80)}`);
