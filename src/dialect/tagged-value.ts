import type { JsonValue } from '../json/value.ts';
import type { ReadyForm } from './grammar.ts';
import { readTree } from './read-tree.ts';
import { plainValue } from './typed.ts';

const cdata = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/;

/** The text of a tagged value, as its dialect trims it; a tree where it holds tags of its own. */
export function taggedValue(written: string, form: ReadyForm): JsonValue {
  const { nested, trim } = form.row;
  const whole = cdata.exec(written);
  if (whole) return whole[1] as string;
  const tree = nested !== undefined && written.includes(`${nested}<`) ? readTree(written, nested) : undefined;
  if (tree !== undefined) return tree;
  return trim === 'newline' ? written.replace(/^\r?\n/, '').replace(/\r?\n$/, '') : written;
}

/** The value that text stands for, where neither a schema nor the tag itself says that it is text. */
export function untyped(value: JsonValue, type: string | undefined, unknown: boolean): JsonValue {
  if (typeof value !== 'string' || type === 'string' || type === 'true') return value;
  return unknown || type !== undefined ? plainValue(value) : value;
}
