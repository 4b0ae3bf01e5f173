import type { ReadyForm } from './grammar.ts';
import {
  branchAt,
  firstsOf,
  isOpen,
  type MarkerSet,
  markerSetOf,
  type StopChars,
  stopCharsFor,
} from './marker-trie.ts';
import { type Pattern, patternOf } from './pattern.ts';

/** A set of patterns. */
export type PatternSet = MarkerSet<{ readonly pattern: Pattern }>;

/** What can end the value of a parameter. */
export interface TaggedEnds {
  readonly close: Pattern;
  /** The closer as it is written. */
  readonly closer: string;
  readonly set: PatternSet;
  readonly rest: StopChars;
}

const kept = new WeakMap<ReadyForm, { readonly next: PatternSet; readonly byKey: Map<string, TaggedEnds> }>();

function keptFor(form: ReadyForm): { readonly next: PatternSet; readonly byKey: Map<string, TaggedEnds> } {
  const known = kept.get(form) ?? { next: setOf(nextOf(form)), byKey: new Map() };
  kept.set(form, known);
  return known;
}

const nextOf = ({ paramOpen, closes }: ReadyForm): readonly Pattern[] => [...(paramOpen ? [paramOpen] : []), ...closes];
const setOf = (patterns: readonly Pattern[]): PatternSet => markerSetOf(patterns.map((pattern) => ({ pattern })));

/** What can end a parameter with this name, which some dialects repeat in the closer. */
export function taggedEnds(form: ReadyForm, key: string): TaggedEnds {
  const { byKey } = keptFor(form);
  const name = form.paramClose ? '' : key;
  const known = byKey.get(name);
  if (known) return known;
  const close = form.paramClose ?? patternOf(form.paramCloseTemplate, [], { key });
  const all = [close, ...nextOf(form)];
  const closer = form.paramCloseTemplate.replaceAll(/~|\{sfx\}/g, '').replaceAll('{key}', name);
  const ends = { close, closer, set: setOf(all), rest: stopCharsFor('arguments', firstsOf(all)) };
  if (byKey.size > 100) byKey.clear();
  byKey.set(name, ends);
  return ends;
}

/** What can follow a parameter: the next one, or the end of the call. */
export const afterParam = (form: ReadyForm): PatternSet => keptFor(form).next;

/** Compares characters before matching; `look` if a pattern must be tried. */
export function glance(set: PatternSet, text: string, at: number): 'no' | 'wait' | 'look' {
  const branch = branchAt(set, text, at);
  if (branch.fit.length > 0) return 'look';
  return isOpen(branch, text, at) ? 'wait' : 'no';
}
