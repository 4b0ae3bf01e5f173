import { fieldName } from '../json/field-name.ts';
import type { Problem } from '../json/problem.ts';
import type { Repair, RepairKind } from '../json/repair.ts';
import type { Tool } from '../tool/tool.ts';

/** What a tool that takes only lossless repairs must be told: the check's own words, else what was inferred. */
export function inexact(repairs: readonly Repair[], tool: Tool, received: unknown): readonly Problem[] {
  const unsure = repairs.filter(({ certainty }) => certainty !== 'lossless');
  if (unsure.length === 0) return [];
  const checked = tool.schema.check(received);
  // In a wrapper every field looks missing; the wrapper is the fault.
  if (!checked.ok && !unsure.some(({ kind }) => kind === 'wrapper')) {
    const renamed = respelled(unsure);
    const known = new Set(unsure.flatMap(({ kind, path }) => (kind === 'key' ? [JSON.stringify(path)] : [])));
    const told = new Set(renamed.map(({ path }) => JSON.stringify(path)));
    const others = checked.problems.filter(
      ({ code, path }) => !(code === 'required' ? known : code === 'unknown' ? told : none).has(JSON.stringify(path)),
    );
    return [...others, ...renamed];
  }
  return unsure.map((repair) => {
    const [renamed] = respelled([repair]);
    if (renamed) return renamed;
    const path = ofWhole.has(repair.kind) ? [] : repair.path;
    const message = `${fieldName(path)} ${faults[repair.kind]?.(repair) ?? exactly(repair)}: ${demand}`;
    return { path, code: 'not_exact', received: repair.before, message };
  });
}

const none: ReadonlySet<string> = new Set();
const demand = 'this tool runs only on arguments that leave nothing to infer';

/** Repairs of the text as a whole, whichever field was being read. */
const ofWhole: ReadonlySet<RepairKind> = new Set(['closer', 'opener', 'prose', 'lines', 'wrapper', 'reasoning']);

const exactly = ({ after }: Repair): string => `must be written exactly${shown(after)}`;

const unknown = (): string => 'is not known; leave it out';
const isTag = (before: unknown): boolean => typeof before === 'string' && /^<[^<>]+>$/.test(before);

/** What was wrong with the writing, by the repair that it took. */
const faults: Partial<Record<RepairKind, (repair: Repair) => string>> = {
  closer: ({ before }) => `lacks a closing ${bracket(before, '}')}`,
  opener: ({ before }) => `lacks an opening ${bracket(before, '{')}`,
  extra_closer: ({ before }) => `has a closing ${bracket(before, '}')} too many`,
  prose: () => 'has text around the JSON object; send the object alone',
  lines: () => 'is written as lines of key and value; send a JSON object',
  wrapper: () => 'stands inside a wrapper; send its fields directly',
  inner_quote: () => 'has quotes inside that are not escaped; write each as \\"',
  quote: ({ before, after }) =>
    typeof after === 'string'
      ? 'lacks quotes; write it in double quotes'
      : before === '\\'
        ? 'has a backslash at the end of a line; write one string, with \\n for a line break'
        : /^(["'])[\s+]*\1$/.test(String(before))
          ? 'is a string in pieces; write one string'
          : 'has quotes that do not belong together; write it in double quotes',
  escape: ({ before }) => `has an invalid escape ${JSON.stringify(before).slice(0, 40)}; write each backslash as \\\\`,
  key: () => 'is given by its place alone; arguments must be named',
  name: ({ after }) => `is sent under a name that is not exact; call '${after}'`,
  comma: () => 'lacks a comma between two values',
  colon: () => 'lacks a colon between key and value',
  dropped: unknown,
  object: (repair) => (isTag(repair.before) ? unknown() : exactly(repair)),
  null: () => 'is null but may only be left out',
  text: () => 'stands in the text of the answer; make it a call',
};

const bracket = (before: unknown, otherwise: string): string =>
  typeof before === 'string' && /^(?:[[\]{}()]|<.*>)$/.test(before) ? `'${before}'` : `'${otherwise}'`;

/** A key that would have been renamed is named, so that its field does not just look missing. */
const respelled = (repairs: readonly Repair[]): Problem[] =>
  repairs
    .filter(({ kind, before, path }) => kind === 'key' && before !== undefined && path.length > 0)
    .map(({ path, before }) => {
      const given = [...path.slice(0, -1), String(before)];
      return {
        path: given,
        code: 'unknown',
        message: `${fieldName(given)} is not known; did you mean '${path.at(-1)}'?`,
      };
    });

const shown = (after: unknown): string => (after === undefined ? '' : `, as ${JSON.stringify(after).slice(0, 80)}`);
