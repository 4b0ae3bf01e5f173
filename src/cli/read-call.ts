import { readJson } from '../json/json.ts';
import type { Repair } from '../json/repair.ts';
import { isObject } from '../json/value.ts';

const argumentKeys = ['arguments', 'parameters', 'input', 'args'];

/** A call that was written as a whole. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: unknown;
  /** What was mended around the arguments. */
  readonly repairs: readonly Repair[];
}

/** Reads `{"name": …, "arguments": …}`, also within OpenAI's `function`; undefined where the text is no such call. */
export function readCall(text: string): WrittenCall | undefined {
  const { value, problems, repairs } = readJson(text);
  if (problems.length > 0 || !isObject(value)) return undefined;
  const call = isObject(value.function) ? value.function : value;
  const key = argumentKeys.find((each) => Object.hasOwn(call, each));
  if (typeof call.name !== 'string') return undefined;
  return { name: call.name, arguments: key === undefined ? undefined : call[key], repairs };
}
