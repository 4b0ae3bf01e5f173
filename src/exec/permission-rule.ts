import { isObject } from '../json/value.ts';
import { ConfigurationValidationError } from '../tool/configuration-validation-error.ts';

/** A rule over calls, read from its text. */
export interface PermissionRule {
  /** The rule as it was written. */
  readonly text: string;
  /** `every`: all values at a path must fit, and stars stand for plain text only. `any`: one is enough. */
  matches(name: string, input: unknown, how: 'every' | 'any'): boolean;
}

const form = /^([^()\s]+)(?:\((.*)\))?$/s;

/**
 * Reads a rule: a name with `*` for any text, and in brackets what the arguments must be.
 *
 * @example
 * permissionRule('mcp__github__*')
 * permissionRule('write_file(path=src/*)')
 * permissionRule('move(from=/tmp/*, to=/tmp/*)')
 */
export function permissionRule(text: string): PermissionRule {
  const [, name, list] = form.exec(text.trim()) ?? [];
  if (name === undefined) throw badRule(text);
  const fits = glob(name, false);
  const conditions = (list ?? '')
    .split(/,(?=[^=,]+=)/)
    .filter((one) => one.trim() !== '')
    .map((one) => condition(one, text));
  return {
    text,
    matches: (called, input, how) => fits(called) && conditions.every((holds) => holds(input, how)),
  };
}

type Condition = (input: unknown, how: 'every' | 'any') => boolean;

function condition(written: string, rule: string): Condition {
  const at = written.indexOf('=');
  if (at <= 0) throw badRule(rule);
  const path = written.slice(0, at).trim().split('.');
  const pattern = written.slice(at + 1).trim();
  const [loose, plain] = [glob(pattern, false), glob(pattern, true)];
  return (input, how) => {
    const values = valuesAt(input, path).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    return how === 'any' ? values.some(loose) : values.length > 0 && values.every(plain);
  };
}

/** Every value at a path; `*` stands for each item of a list. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value];
  if (Array.isArray(value)) {
    const items: unknown[] = key === '*' ? value : [];
    return items.flatMap((item) => valuesAt(item, rest));
  }
  return isObject(value) && Object.hasOwn(value, key) ? valuesAt(value[key], rest) : [];
}

/** What a star must not stand for where it lets something through: a way out of the folder, a second command. */
const unplain = /(^|[\\/])\.\.([\\/]|$)|[\n\r;|&`<>]|\$\(/;

function glob(pattern: string, plain: boolean): (text: string) => boolean {
  if (pattern === '*') return () => true;
  const pieces = pattern.split('*');
  return (text) => {
    if (pieces.length === 1) return text === pattern;
    if (plain && unplain.test(text)) return false;
    return fitsPieces(text, pieces);
  };
}

/** Whether the pieces stand in the text in their order, the first at its start and the last at its end. */
function fitsPieces(text: string, pieces: readonly string[]): boolean {
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

const badRule = (text: string): ConfigurationValidationError =>
  new ConfigurationValidationError(
    `The permission rule ${JSON.stringify(text)} can't be read. Write a name, as in read_*, or a name with arguments, as in write_file(path=src/*).`,
    { configType: 'permissions', field: 'rule' },
  );
