import { hasOwn, isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../schema/types.ts';

/**
 * `clear`: everything so far can be sent. `open`: more text is needed to decide. `shut`: the call is buffered until it
 * is complete.
 */
export type GateState = 'clear' | 'open' | 'shut';

/** Keywords with which a schema only describes types and fields. */
const plainWords = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'description',
  'title',
  'default',
  'examples',
  '$schema',
  '$comment',
  '$id',
  'deprecated',
  'readOnly',
  'writeOnly',
  'enum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'strict',
]);

interface InObject {
  readonly in: 'object';
  readonly schema: SchemaObject;
  readonly seen: Set<string>;
  wants: 'key' | 'colon' | 'value' | 'comma';
  key: string;
  first: boolean;
}

interface InList {
  readonly in: 'list';
  readonly schema: SchemaObject;
  wants: 'value' | 'comma';
  first: boolean;
}

/** An open token: a key, an enum value, free text, a number or a literal. */
interface Token {
  readonly kind: 'key' | 'listed' | 'free' | 'word';
  readonly schema?: SchemaObject;
  text: string;
  escape: string;
}

/** Length of text to check for a key. */
const longestKey = 64;
const blank = ' \n\r\t';
// biome-ignore lint/suspicious/noControlCharactersInRegex: no text of JSON holds them
const telling = /["\\,}\]\u0000-\u001f]/g;

/**
 * Reads streaming arguments and decides how much can be sent: strict JSON in declared fields with matching types.
 * Mending wouldn't change any of it, so it never has to be retracted.
 */
export class ArgumentGate {
  readonly #root: JsonSchema | undefined;
  readonly #stack: (InObject | InList)[] = [];
  #token: Token | undefined;
  #state: GateState = 'open';
  #ended = false;
  /** Whether a text may have ended or not, which the next character decides. */
  #hangs = false;

  /** Whether the text is complete. */
  get ended(): boolean {
    return this.#ended;
  }

  constructor(schema: JsonSchema | undefined) {
    this.#root = schema;
  }

  /** Processes the next piece. */
  feed(text: string): GateState {
    for (let at = 0; at < text.length && this.#state !== 'shut'; at += 1) {
      at = this.#pastWords(text, at);
      if (at >= text.length) break;
      this.#state = this.#fits(text[at] as string) ? this.#now() : 'shut';
    }
    return this.#state;
  }

  /** Skips free text, in which few characters change the state. */
  #pastWords(text: string, at: number): number {
    if (this.#state !== 'clear' || this.#token?.kind !== 'free' || this.#token.escape !== '') return at;
    telling.lastIndex = at;
    return telling.exec(text)?.index ?? text.length;
  }

  /**
   * Holds back what may have to be retracted: a key without its value, a comma, the last brace, an incomplete escape,
   * the end of a text.
   */
  #now(): GateState {
    if (this.#hangs) return 'open';
    if (this.#token) return this.#token.kind === 'free' && !this.#mayTurn(this.#token) ? 'clear' : 'open';
    if (this.#ended) return 'open';
    const frame = this.#stack.at(-1);
    const begun = frame?.first && frame.wants === (frame.in === 'object' ? 'key' : 'value');
    return !frame || begun || frame.wants === 'comma' ? 'clear' : 'open';
  }

  /**
   * Whether an open text may turn out not to be text: an incomplete escape, or a key after a list without closing
   * bracket.
   */
  #mayTurn(token: Token): boolean {
    if (token.escape !== '') return true;
    const [outer, list] = this.#stack.slice(-2);
    if (list?.in !== 'list' || outer?.in !== 'object') return false;
    return Object.keys(outer.schema.properties ?? {}).some((key) => !outer.seen.has(key) && key.startsWith(token.text));
  }

  /** Whether the text may continue with this character. */
  #fits(char: string): boolean {
    if (this.#token?.kind === 'word') return this.#inWord(this.#token, char);
    if (this.#token) return this.#inText(this.#token, char);
    if (blank.includes(char)) return true;
    this.#hangs = false;
    return this.#begins(char);
  }

  #begins(char: string): boolean {
    const frame = this.#stack.at(-1);
    if (!frame) return !this.#ended && char === '{' && this.#opens(char, plain(this.#root));
    if (char === '}' || char === ']') return this.#closes(char, frame);
    if (frame.wants === 'comma') {
      frame.wants = frame.in === 'object' ? 'key' : 'value';
      return char === ',';
    }
    if (frame.wants === 'key') {
      this.#token = { kind: 'key', text: '', escape: '' };
      return char === '"';
    }
    if (frame.wants === 'colon') {
      frame.wants = 'value';
      return char === ':';
    }
    return this.#valueBegins(char, schemaOf(frame));
  }

  #valueBegins(char: string, schema: SchemaObject | undefined): boolean {
    if (!schema) return false;
    if (char === '{' || char === '[') return this.#opens(char, schema);
    const kind = char !== '"' ? 'word' : schema.enum ? 'listed' : 'free';
    this.#token = { kind, schema, text: kind === 'word' ? char : '', escape: '' };
    return kind === 'word' || schema.type === 'string';
  }

  #opens(char: string, schema: SchemaObject | undefined): boolean {
    if (!schema || schema.enum || schema.type !== (char === '{' ? 'object' : 'array')) return false;
    if (char === '{') this.#stack.push({ in: 'object', schema, seen: new Set(), wants: 'key', key: '', first: true });
    else this.#stack.push({ in: 'list', schema, wants: 'value', first: true });
    return true;
  }

  #closes(char: string, frame: InObject | InList): boolean {
    this.#stack.pop();
    return (
      char === (frame.in === 'object' ? '}' : ']') && (frame.first || frame.wants === 'comma') && this.#valueEnds()
    );
  }

  #valueEnds(): true {
    this.#token = undefined;
    const frame = this.#stack.at(-1);
    if (frame) Object.assign(frame, { wants: 'comma', first: false });
    else this.#ended = true;
    return true;
  }

  #inText(token: Token, char: string): boolean {
    if (token.escape !== '') return this.#inEscape(token, token.escape + char);
    if (char === '"') {
      this.#hangs = token.kind === 'free';
      return this.#textEnds(token);
    }
    // A text without closing quote continues with what follows.
    if (!blank.includes(char)) this.#hangs = token.kind === 'free' && ',}]'.includes(char);
    if (char === '\\') token.escape = char;
    else if (token.kind !== 'free' || token.text.length < longestKey) token.text += char;
    // A raw line break isn't valid JSON.
    return char >= ' ';
  }

  #inEscape(token: Token, written: string): boolean {
    if (!/^\\(?:["\\/bfnrt]|u[\da-fA-F]{0,4})$/.test(written)) return false;
    const whole = written[1] !== 'u' || written.length === 6;
    token.escape = whole ? '' : written;
    if (whole && token.kind !== 'free') token.text += JSON.parse(`"${written}"`);
    return true;
  }

  #textEnds({ kind, schema, text }: Token): boolean {
    if (kind === 'free') return this.#valueEnds();
    if (kind === 'listed') return schema?.enum?.includes(text) === true && this.#valueEnds();
    const frame = this.#stack.at(-1);
    this.#token = undefined;
    if (frame?.in !== 'object' || frame.seen.has(text) || !hasOwn(frame.schema.properties ?? {}, text)) return false;
    frame.seen.add(text);
    Object.assign(frame, { key: text, wants: 'colon' });
    return true;
  }

  #inWord(token: Token, char: string): boolean {
    if (/[\w.+-]/.test(char)) {
      token.text += char;
      return token.text.length < 64;
    }
    return fitsWord(token.text, token.schema) && this.#valueEnds() && (blank.includes(char) || this.#begins(char));
  }
}

/** A schema with only types and fields at its own level. */
const plain = (schema: JsonSchema | undefined): SchemaObject | undefined =>
  isObject(schema) && Object.keys(schema).every((word) => plainWords.has(word)) ? schema : undefined;

function schemaOf(frame: InObject | InList): SchemaObject | undefined {
  if (frame.in === 'object') return plain(frame.schema.properties?.[frame.key]);
  return Array.isArray(frame.schema.items) ? undefined : plain(frame.schema.items);
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Whether a number or literal is valid JSON and matches the schema. */
function fitsWord(text: string, schema: SchemaObject | undefined): boolean {
  if (!schema) return false;
  const value =
    text === 'true'
      ? true
      : text === 'false'
        ? false
        : text === 'null'
          ? null
          : number.test(text)
            ? Number(text)
            : undefined;
  if (value === undefined || (schema.enum && !schema.enum.includes(value))) return false;
  if (typeof value === 'boolean') return schema.type === 'boolean';
  if (value === null) return schema.type === 'null';
  if (schema.type === 'integer') return Number.isSafeInteger(value) && /^-?\d+$/.test(text);
  // A rounded number would be a different one.
  return schema.type === 'number' && (!/^-?\d+$/.test(text) || Number.isSafeInteger(value));
}
