/** A call as a dialect writes it, in pieces that a mistake can change one by one. */
import { writeCalls } from '../../../../src/dialect/render.ts';
import type { CallForm, Dialect } from '../../../../src/dialect/types.ts';
import { isObject, type JsonObject, type JsonValue, typeName } from '../../../../src/json/value.ts';
import { type Token, tokensOf } from '../../tokens.ts';

/** A token of the arguments, or what a dialect has around them. */
export interface Piece {
  readonly kind: Token['kind'] | 'open' | 'close' | 'paramOpen' | 'paramClose' | 'value' | 'name' | '(' | ')';
  readonly text: string;
  /** What a string, key or tagged value means. */
  readonly meant?: string;
  /** Whether it belongs to the arguments. */
  readonly inside?: boolean;
}

export const written = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

export const formOf = ({ forms }: Dialect): CallForm | undefined => forms.find(({ readOnly }) => !readOnly);

/** How a dialect writes arguments. */
export const notationOf = (row: Dialect): 'json' | 'python' | 'tags' | 'quotes' => {
  const body = row.frame?.tool === 'args' ? 'args' : formOf(row)?.body;
  if (body === 'python') return 'python';
  if (body === 'params') return 'tags';
  return row.quote === undefined ? 'json' : 'quotes';
};

const filled = (template: string, holes: Readonly<Record<string, string>> = {}): string =>
  template.replaceAll('~', '').replace(/\{(\w+)\}/g, (_, hole: string) => holes[hole] ?? '');

const inside = (tokens: readonly Token[]): Piece[] => tokens.map((token) => ({ ...token, inside: true }));

const space = (text: string): Piece[] => (text === '' ? [] : [{ kind: 'space', text }]);

/** The tokens of a Python literal. */
const pythonTokens = (value: JsonValue): Piece[] => {
  const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  return inside(tokensOf(value)).map((piece) =>
    piece.kind === 'literal' ? { ...piece, text: words[piece.text] ?? piece.text } : piece,
  );
};

const pythonCall = (name: string, value: JsonObject): Piece[] => [
  { kind: 'name', text: name },
  { kind: '(', text: '(' },
  ...Object.entries(value).flatMap(([key, part], at): Piece[] => [
    ...(at === 0 ? [] : ([{ kind: ',', text: ',', inside: true }, ...space(' ')] as const)),
    { kind: 'key', text: key, meant: key, inside: true },
    { kind: ':', text: '=', inside: true },
    ...pythonTokens(part),
  ]),
  { kind: ')', text: ')' },
];

/** JSON with bare keys and the quotes of a dialect. */
const quotedTokens = (value: JsonValue, quote: string): Piece[] =>
  inside(tokensOf(value, 'compact')).map((piece) =>
    piece.kind === 'key' && /^\w+$/.test(piece.meant ?? '')
      ? { ...piece, text: piece.meant ?? '' }
      : piece.meant === undefined
        ? piece
        : { ...piece, text: quote + piece.meant + quote },
  );

const spacedText = (value: JsonValue): string =>
  tokensOf(value)
    .map(({ text }) => text)
    .join('');

const parameter = (row: Dialect, { param = '' }: CallForm, key: string, value: JsonValue): Piece[] => {
  const [open = '', close = ''] = param.split('{value}');
  const holes = { key, string: ` string="${typeof value === 'string'}"`, typed: ` type="${typeName(value)}"` };
  const text = typeof value === 'string' ? value : spacedText(value);
  const line = row.trim === 'newline' ? space('\n') : [];
  return [
    { kind: 'paramOpen', text: filled(open, holes) },
    ...line,
    { kind: 'value', text, meant: text, inside: true },
    ...line,
    { kind: 'paramClose', text: filled(close, holes) },
  ];
};

/** Pieces on lines of their own. */
const lines = (parts: readonly (readonly Piece[])[]): Piece[] =>
  parts.flatMap((part, at) => (at === 0 ? part : [...space('\n'), ...part]));

const marker = (kind: 'open' | 'close', text: string): Piece[] => (text === '' ? [] : [{ kind, text }]);

const inSection = ({ sections }: Dialect, pieces: Piece[]): Piece[] => {
  const [open, close] = sections?.[0] ?? [];
  return open === undefined
    ? pieces
    : lines([marker('open', filled(open)), pieces, marker('close', filled(close ?? ''))]);
};

const oneCall = (row: Dialect, form: CallForm, name: string, value: JsonObject): Piece[] => {
  const holes = { name: `${row.prefix ?? ''}${name}${row.numbered ? ':0' : ''}`, tool: name };
  const open = marker('open', filled(form.open, holes));
  const closer = filled(form.close?.[0] ?? '', holes);
  const close = marker('close', closer);
  if (form.body === 'params')
    return lines([open, ...Object.entries(value).map(([key, part]) => parameter(row, form, key, part)), close]);
  const body = row.quote === undefined ? inside(tokensOf(value)) : quotedTokens(value, row.quote);
  return [...open, ...body, ...(closer.startsWith('`') ? space('\n') : []), ...close];
};

const framed = ({ frame }: Dialect, name: string, body: Piece[]): Piece[] => {
  const [open = '', close = ''] = (frame?.write ?? '').replace('{name}', () => name).split(/\{(?:args|calls)\}/);
  return [...marker('open', open), ...body, ...marker('close', close)];
};

const jsonCall = (row: Dialect, form: CallForm, name: string, value: JsonObject): Piece[] => {
  const [nameKey, argumentKey] = row.keys ?? ['name', 'arguments'];
  const call = tokensOf(row.keyed ? { [name]: value } : { [nameKey]: name, [argumentKey]: value });
  const depth = 1;
  const pieces = call.map(
    (token): Piece => ({
      ...token,
      inside:
        token.path.length > depth ||
        (token.path[0] === (row.keyed ? name : argumentKey) && token.kind !== 'key' && token.kind !== ':'),
    }),
  );
  const body: Piece[] = row.list ? [{ kind: '[', text: '[' }, ...pieces, { kind: ']', text: ']' }] : pieces;
  const open = marker('open', filled(form.open));
  const close = marker('close', filled(form.close?.[0] ?? ''));
  return lines([open, body, close].filter((part) => part.length > 0));
};

/** A call in the form that a dialect writes. */
export const piecesOf = (row: Dialect, name: string, value: JsonObject): Piece[] => {
  const form = formOf(row);
  if (row.frame?.tool === 'args') return framed(row, name, inside(tokensOf(value)));
  if (form === undefined) return [];
  if (row.frame) return framed(row, name, inSection(row, oneCall(row, form, name, value)));
  if (form.body === 'call') return jsonCall(row, form, name, value);
  if (form.body !== 'python') return inSection(row, oneCall(row, form, name, value));
  const call = pythonCall(name, value);
  const list: Piece[] = row.list ? [{ kind: '[', text: '[' }, ...call, { kind: ']', text: ']' }] : call;
  return [...marker('open', filled(form.open)), ...list, ...marker('close', filled(form.close?.[0] ?? ''))];
};

/** What the library writes for a call. */
export const rendered = (row: Dialect, name: string, value: JsonValue): string | undefined =>
  isObject(value) ? writeCalls([{ name, arguments: value }], row, formOf(row)) : undefined;
