import { ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument, equal, isObject, type JsonValue, typeName } from '../json/value.ts';
import { propertiesOf } from '../schema/lookup.ts';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { rowsFor } from './detect.ts';
import { readCalls } from './read-calls.ts';
import type { CallForm, Dialect, WrittenCall } from './types.ts';

/**
 * Writes calls in a dialect, for the history of a model that uses it. Reading the text returns the same calls. Throws
 * with code `unrenderable_calls` if the dialect can't express them.
 *
 * @param toolbox the tools, whose schemas distinguish text from numbers if the dialect doesn't
 * @example
 * renderCalls([{ name: 'now', arguments: {} }], 'hermes')
 * // <tool_call>\n{"name":"now","arguments":{}}\n</tool_call>
 */
export function renderCalls(calls: readonly WrittenCall[], dialect: string | Dialect, toolbox?: Toolbox): string {
  checkArgument(Array.isArray(calls), 'calls', 'a list of { name, arguments }', calls);
  const row = rowsFor(dialect).rows[0] as Dialect;
  const form = row.forms.find(({ readOnly }) => !readOnly);
  const text = calls.length === 0 ? '' : writeCalls(calls, row, form, toolbox);
  const read = readCalls(text, toolbox ?? named(calls), { dialect });
  const same =
    read.calls.length === calls.length &&
    read.text.trim() === '' &&
    calls.every(({ name, arguments: given }, index) => {
      const call = read.calls[index];
      const cut = call?.status === 'invalid' && call.errorType === 'truncated';
      return call?.name === name && !cut && equal(call.input, given);
    });
  if (!same)
    throw new ToolmendError(
      'unrenderable_calls',
      `The dialect '${row.name}' can't express these calls: it would read them as different calls. Use another dialect.`,
    );
  return text;
}

/** Tools with these names, so that the calls can be read back. */
function named(calls: readonly WrittenCall[]): Toolbox {
  const names = [...new Set(calls.map(({ name }) => name))];
  return new Toolbox(
    names.map((name) => tool({ name, description: '' })),
    { validate: false },
  );
}

/** The result of a call, for a model without messages for it. */
export interface RenderedResult {
  readonly name: string;
  readonly id?: string;
  /** The result as text. */
  readonly result: string;
}

const plain = '<tool_response>\n{result}\n</tool_response>';

/** Writes the results of calls in a dialect. */
export function renderResults(results: readonly RenderedResult[], dialect: string | Dialect): string {
  checkArgument(Array.isArray(results), 'results', 'a list of { name, result }', results);
  const template = rowsFor(dialect).rows[0]?.result ?? plain;
  return results
    .map(({ name, id = '', result }) => {
      const holes: Record<string, string> = { name, id, result };
      return template.replace(/\{(name|id|result)\}/g, (_, hole: string) => holes[hole] as string);
    })
    .join('\n');
}

/** Writes calls in a form of a dialect. The caller must check that they can be read back. */
export function writeCalls(
  calls: readonly WrittenCall[],
  row: Dialect,
  form: CallForm | undefined,
  toolbox?: Toolbox,
): string {
  if (row.frame?.tool === 'args') return calls.map((call) => framed(row, call, spaced(call.arguments))).join('');
  if (!form) return '';
  if (row.frame) return calls.map((call) => framed(row, call, inSection(row, oneCall(row, form, call, 0)))).join('');
  if (form.body === 'call') return writeJson(calls, row, form);
  if (form.body === 'python')
    return `${filled(form.open)}${writePython(calls, row.list !== true)}${filled(form.close?.[0] ?? '')}`;
  return inSection(row, calls.map((call, index) => oneCall(row, form, call, index, toolbox)).join('\n'));
}

/** JSON with a blank after each comma and colon, as chat templates write it and models learned it. */
const spaced = (value: unknown): string =>
  JSON.stringify(value).replace(/"[^"\\]*(?:\\.[^"\\]*)*"|[,:]/g, (token) =>
    token.length === 1 ? `${token} ` : token,
  );

const framed = (row: Dialect, { name }: WrittenCall, body: string): string =>
  (row.frame?.write ?? '').replace('{name}', () => name).replace(/\{(?:args|calls)\}/, () => body);

function inSection({ sections }: Dialect, text: string): string {
  const [open, close] = sections?.[0] ?? ['', ''];
  return open ? `${filled(open)}\n${text}\n${filled(close)}` : text;
}

function writeJson(calls: readonly WrittenCall[], row: Dialect, form: CallForm): string {
  const [nameKey, argumentKey] = row.keys ?? ['name', 'arguments'];
  const objects = calls.map((call) =>
    row.keyed ? { [call.name]: call.arguments } : { [nameKey]: call.name, [argumentKey]: call.arguments },
  );
  const wrap = (text: string): string => {
    const close = filled(form.close?.[0] ?? '');
    return `${filled(form.open)}\n${text}${close && `\n${close}`}`.replace(/^\n/, '');
  };
  return row.list ? wrap(spaced(objects)) : objects.map((object) => wrap(spaced(object))).join('\n');
}

function oneCall(row: Dialect, form: CallForm, call: WrittenCall, index: number, toolbox?: Toolbox): string {
  const name = `${row.prefix ?? ''}${call.name}${row.numbered ? `:${index}` : ''}`;
  const holes = { name: escaped(row, name), tool: call.name };
  const open = filled(form.open, holes);
  const close = filled(form.close?.[0] ?? '', holes);
  if (form.body === 'args') return `${open}${argumentsOf(row, call)}${close.startsWith('`') ? `\n${close}` : close}`;
  if (form.body === 'word') return `${open}${wordOf(call, toolbox)}${close}`;
  const params = Object.entries(call.arguments).map(([key, value]) => writeParam(row, form, key, value));
  return [open, ...params, close].join('\n');
}

/** Writes the text of a tool's only parameter unchanged, anything else as JSON. */
function wordOf({ name, arguments: given }: WrittenCall, toolbox: Toolbox | undefined): string {
  const [only, ...more] = Object.values(given);
  const several = Object.keys(propertiesOf(toolbox?.get(name)?.schema.json)).length > 1;
  return typeof only !== 'string' || more.length > 0 || several || /^\s*["'[{]/.test(only) ? spaced(given) : only;
}

function writeParam(row: Dialect, { param = '' }: CallForm, key: string, value: JsonValue): string {
  const text = typeof value === 'string' ? value : spaced(value);
  const isApart = row.trim === 'newline' || (row.trim === 'inline' && /^\s|^\S+\s$/.test(text));
  const line = isApart ? '\n' : '';
  const [open = '', close = ''] = param.split('{value}');
  const holes = {
    key: escaped(row, key),
    string: ` string="${typeof value === 'string'}"`,
    typed: ` type="${typeName(value)}"`,
  };
  return `${filled(open, holes)}${line}${text}${line}${filled(close, holes)}`;
}

function argumentsOf(row: Dialect, call: WrittenCall): string {
  return row.quote === undefined ? spaced(call.arguments) : loose(call.arguments as JsonValue, row.quote);
}

/** JSON with bare keys and the dialect's quotes. */
function loose(value: JsonValue, quote: string): string {
  if (typeof value === 'string') return `${quote}${value}${quote}`;
  if (Array.isArray(value)) return `[${value.map((item) => loose(item, quote)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${/^\w+$/.test(key) ? key : `${quote}${key}${quote}`}:${loose(item, quote)}`)
    .join(',')}}`;
}

const escaped = ({ entities }: Dialect, text: string): string =>
  entities ? text.replace(/[&"<>]/g, (char) => `&${{ '&': 'amp', '"': 'quot', '<': 'lt', '>': 'gt' }[char]};`) : text;

/** Fills the holes of a template. Missing values are omitted. */
const filled = (template: string, holes: Readonly<Record<string, string>> = {}): string =>
  template.replaceAll('~', '').replace(/\{(\w+)\}/g, (_, hole: string) => holes[hole] ?? '');

/** Writes Python calls: a list, or one per line. */
function writePython(calls: readonly WrittenCall[], lines: boolean): string {
  const written = calls.map(
    ({ name, arguments: given }) =>
      `${name}(${Object.entries(given)
        .map(([key, value]) => `${key}=${literal(value)}`)
        .join(', ')})`,
  );
  return lines ? written.join('\n') : `[${written.join(', ')}]`;
}

function literal(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, item]) => `${literal(key)}: ${literal(item)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}
