import { isObject, type JsonValue } from '../../../../src/json/value.ts';
import { valid } from '../../valid.ts';
import type { Mistake } from '../mistake.ts';
import { literalMistakes } from '../mistakes-literals.ts';
import { stringMistakes as jsonStringMistakes } from '../mistakes-strings.ts';
import { structureMistakes as jsonStructureMistakes } from '../mistakes-structure.ts';
import { markerMistakes } from './mistakes-markers.ts';
import { stringMistakes } from './mistakes-strings.ts';
import { structureMistakes } from './mistakes-structure.ts';
import { notationOf, type Piece, piecesOf, written } from './pieces.ts';

const passes = (text: string, json: Parameters<typeof valid>[1]): boolean => {
  try {
    return valid(JSON.parse(text) as JsonValue, json);
  } catch {
    return false;
  }
};

/** A mistake in JSON arguments, made in a call that holds them. */
const inArguments = (mistake: Mistake): Mistake => ({
  ...mistake,
  name: `in JSON: ${mistake.name}`,
  write: ({ value, template }, random) => {
    const { text } = template;
    if (text === undefined || notationOf(text.row) !== 'json' || !isObject(value)) return undefined;
    const made = mistake.write({ value, template: { ...template, name: text.tool, way: 'call' } }, random);
    if (made === undefined || (!mistake.evenStrict && passes(made, template.json))) return undefined;
    const pieces = piecesOf(text.row, text.tool, value);
    const from = pieces.findIndex(({ inside }) => inside);
    const to = pieces.findLastIndex(({ inside }) => inside);
    const around = (part: readonly Piece[]): string => written(part);
    return around(pieces.slice(0, from)) + made + around(pieces.slice(to + 1));
  },
});

/** Every mistake in calls that are written as text. */
export const dialectMistakes: readonly Mistake[] = [
  ...markerMistakes,
  ...stringMistakes,
  ...structureMistakes,
  ...[...jsonStringMistakes, ...jsonStructureMistakes, ...literalMistakes]
    // No tool here takes null.
    .filter(({ name }) => !['undefined', 'a word for null'].includes(name))
    .map(inArguments),
];
