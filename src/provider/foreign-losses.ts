import { isObject } from '../json/value.ts';
import type { Format, TurnRequest, TurnResponse } from '../turn/turn.ts';
import type { Warning } from './wire.ts';

/** Where things that carry something stand: arguments, schemas and what was carried itself are not looked into. */
const within = ['messages', 'message', 'parts', 'content', 'tools', 'output', 'reasoning', 'usage'];

/** What of a question or an answer only another format understands, so that this one leaves it out. */
export function foreignFieldWarnings(format: Format, whole: TurnRequest | TurnResponse): Warning[] {
  const losses: Warning[] = [];
  walk(format, whole, '', losses);
  return losses;
}

function walk(format: Format, value: unknown, where: string, losses: Warning[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(format, item, join(where, index), losses);
    return;
  }
  if (!isObject(value)) return;
  const { type, extra, seal } = value;
  if (type === 'opaque') {
    if (value.format !== format) losses.push({ where, what: `Known to ${String(value.format)} alone, so left out` });
    return;
  }
  const names = isObject(extra) && extra.format !== format ? saying(extra.fields).join(', ') : '';
  if (isObject(extra) && names) {
    losses.push({ where: join(where, 'extra'), what: `Known to ${String(extra.format)} alone, so left out: ${names}` });
  }
  if (isObject(seal) && seal.format !== format) {
    losses.push({ where: join(where, 'seal'), what: `Signed by ${String(seal.format)}, so left out` });
  }
  for (const key of within) if (key in value) walk(format, value[key], join(where, key), losses);
}

/** A null says nothing: with it a wire remembers what was not there. */
const saying = (fields: unknown): string[] =>
  isObject(fields) ? Object.keys(fields).filter((key) => fields[key] !== null) : [];

const join = (where: string, key: string | number): string => (where === '' ? String(key) : `${where}.${key}`);
