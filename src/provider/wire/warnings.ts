import { isObject } from '../../json/value.ts';
import type { Format, TurnRequest, TurnResponse } from '../../model/index.ts';
import type { Warning } from './types.ts';

/** Fields to search for passthrough values. Arguments, schemas and passthrough values themselves are not searched. */
const within = ['messages', 'message', 'parts', 'content', 'tools', 'output', 'reasoning', 'usage'];

/** Warnings for passthrough fields of other formats, which this format drops. */
export function foreignFieldWarnings(format: Format, whole: TurnRequest | TurnResponse): Warning[] {
  const warnings: Warning[] = [];
  walk(format, whole, '', warnings);
  return warnings;
}

function walk(format: Format, value: unknown, where: string, warnings: Warning[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(format, item, join(where, index), warnings);
    return;
  }
  if (!isObject(value)) return;
  const { type, passthrough, signature } = value;
  if (type === 'opaque') {
    if (value.format !== format) warnings.push({ where, what: `Only supported by ${String(value.format)}; left out` });
    return;
  }
  const names = isObject(passthrough) && passthrough.format !== format ? saying(passthrough.fields).join(', ') : '';
  if (isObject(passthrough) && names) {
    warnings.push({
      where: join(where, 'passthrough'),
      what: `Only supported by ${String(passthrough.format)}; left out: ${names}`,
    });
  }
  if (isObject(signature) && signature.format !== format) {
    warnings.push({ where: join(where, 'signature'), what: `Signed by ${String(signature.format)}; left out` });
  }
  for (const key of within) if (key in value) walk(format, value[key], join(where, key), warnings);
}

/** A null only marks a missing field, and `in` the fields that reasoning was read from. */
const saying = (fields: unknown): string[] =>
  isObject(fields) ? Object.keys(fields).filter((key) => fields[key] !== null && key !== 'in') : [];

const join = (where: string, key: string | number): string => (where === '' ? String(key) : `${where}.${key}`);

/** Warnings for settings of APIs without strict mode and without single calls. */
export function unsupportedSettings({ parallelCalls, tools, output }: TurnRequest): Warning[] {
  const warnings: Warning[] = [];
  if (parallelCalls === false) warnings.push({ where: 'parallelCalls', what: 'Parallel calls cannot be disabled' });
  for (const [index, tool] of tools?.entries() ?? []) {
    if (tool.type === 'function' && tool.strict !== undefined) {
      warnings.push({ where: `tools.${index}.strict`, what: 'Strict mode is not supported per tool' });
    }
  }
  if (output?.type !== 'schema') return warnings;
  for (const key of ['name', 'description', 'strict'] as const) {
    if (output[key] !== undefined)
      warnings.push({ where: `output.${key}`, what: 'Only the schema of the output is supported' });
  }
  return warnings;
}
