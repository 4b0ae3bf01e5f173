import { isObject, type JsonObject } from '../../json/value.ts';
import type { TurnRequest } from '../../turn/turn.ts';
import { readVerbatim, writeVerbatim } from '../as-it-came.ts';
import { isTexts } from '../is-texts.ts';
import { rest } from '../rest.ts';
import { outputFields, readOutput, writeOutput } from './output-form.ts';
import { proto } from './proto.ts';
import { thinking } from './thinking.ts';

type Settings = Pick<TurnRequest, 'maxTokens' | 'temperature' | 'topP' | 'stop' | 'output' | 'reasoning'>;

const numbers = { maxOutputTokens: 'maxTokens', temperature: 'temperature', topP: 'topP' } as const;

/** The settings in `generationConfig`, and what else stands there. */
export function readGenerationConfig(value: unknown): { settings: Settings; left: JsonObject } {
  const wire = proto(value, 'generationConfig');
  const known: string[] = [];
  const settings: { -readonly [K in keyof Settings]: Settings[K] } = {};
  for (const [field, setting] of Object.entries(numbers) as [string, 'maxTokens'][]) {
    const given = wire[field];
    if (typeof given !== 'number') continue;
    settings[setting] = given;
    known.push(field);
  }
  if (isTexts(wire.stopSequences)) {
    settings.stop = wire.stopSequences;
    known.push('stopSequences');
  }
  const output = readOutput(wire);
  if (output) {
    settings.output = output;
    known.push(...outputFields);
  }
  if (isObject(wire.thinkingConfig)) {
    settings.reasoning = readVerbatim(thinking, wire.thinkingConfig);
    known.push('thinkingConfig');
  }
  return { settings, left: rest(wire, known) };
}

/** `generationConfig` for the settings of a request. */
export function writeGenerationConfig(request: TurnRequest): JsonObject {
  const wire: JsonObject = {};
  for (const [field, setting] of Object.entries(numbers)) {
    const given = request[setting];
    if (given !== undefined) wire[field] = given;
  }
  if (request.stop) wire.stopSequences = [...request.stop];
  if (request.reasoning) wire.thinkingConfig = writeVerbatim(thinking, request.reasoning);
  return { ...wire, ...(request.output && writeOutput(request.output)) };
}
