import type { JsonObject } from '../../json/value.ts';
import type { TurnRequest } from '../../turn/turn.ts';
import { isTexts } from '../is-texts.ts';
import { mustBeObject } from '../must-be.ts';
import { rest } from '../rest.ts';

type Settings = Pick<TurnRequest, 'maxTokens' | 'temperature' | 'topP' | 'stop'>;

const numbers = { num_predict: 'maxTokens', temperature: 'temperature', top_p: 'topP' } as const;

/** The settings in `options`, and what else stands there. */
export function readOptions(value: unknown): { settings: Settings; left: JsonObject } {
  const wire = mustBeObject(value ?? {}, 'options');
  const settings: { -readonly [K in keyof Settings]: Settings[K] } = {};
  const known: string[] = [];
  for (const [field, setting] of Object.entries(numbers) as [keyof typeof numbers, 'maxTokens'][]) {
    const given = wire[field];
    // A limit below zero is none: until the model or its memory is at an end.
    if (typeof given !== 'number' || (field === 'num_predict' && given < 0)) continue;
    settings[setting] = given;
    known.push(field);
  }
  if (isTexts(wire.stop)) {
    settings.stop = wire.stop;
    known.push('stop');
  }
  return { settings, left: rest(wire, known) };
}

/** `options` for the settings of a request. */
export function writeOptions(request: TurnRequest): JsonObject {
  const wire: JsonObject = {};
  for (const [field, setting] of Object.entries(numbers)) {
    const given = request[setting];
    if (given !== undefined) wire[field] = given;
  }
  if (request.stop) wire.stop = [...request.stop];
  return wire;
}
