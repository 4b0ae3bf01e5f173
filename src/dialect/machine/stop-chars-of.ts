import type { Grammar } from '../grammar/grammar.ts';
import { firstsOf } from '../grammar/marker-trie.ts';
import type { Pattern } from '../grammar/pattern.ts';
import { type StopChars, stopCharsFor } from '../grammar/stop-chars.ts';
import { isFlowing, type JsonBody } from './json-scanner.ts';
import type { Machine } from './state.ts';

/**
 * What means nothing where the reader stands; undefined where everything does. Text that is held back is looked at
 * again when a character may decide it, or an eighth more has come: at every letter it would cost its square.
 */
export function stopCharsOf(m: Machine): StopChars | undefined {
  if (m.ended) return undefined;
  const held = m.buffer.length - m.at;
  if (held === 0) return inMode[m.mode]?.(m);
  return held < longHeld ? undefined : held < veryLongHeld ? undecided : anything;
}

/** What is held for so long is a name, a header or white space, which a letter more does not decide. */
const longHeld = 16;
const veryLongHeld = 512;
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const undecided = stopCharsFor('undecided', ascii.filter((char) => !/[\w .-]/.test(char)).join(''));
const anything = stopCharsFor('undecided', '');

const inMode: Readonly<Partial<Record<Machine['mode'], (m: Machine) => StopChars | undefined>>> = {
  text: ({ start, space, grammar, candidate, waiting }) =>
    start || candidate || waiting.length > 0 || space !== undefined ? undefined : inText(grammar),
  think: ({ think, grammar, waiting }) => {
    if (!think || (waiting.length > 0 && think.held === undefined)) return undefined;
    think.rest ??=
      think.held === undefined
        ? stopCharsFor(
            think.label ? 'nothing' : 'reasoning',
            firstsOf([...think.closes, ...inThink(grammar, think.callEnds)]),
          )
        : stopCharsFor('nothing', firstsOf(think.closes));
    return think.rest;
  },
  // What waits for the calls beside it is not passed on.
  json: ({ body, call, batch }) =>
    body?.kind === 'json' && call && !batch?.events.length && isFlowing(body.json) ? inJson(body.json) : undefined,
  tagged: ({ body }) => (body?.kind === 'tagged' && body.key !== undefined ? body.ends?.rest : undefined),
  python: ({ body, batch }) => {
    if (body?.kind !== 'python' || batch?.events.length || body.span.depth === 0 || body.span.escaped) return undefined;
    return body.span.quote ? inString(body.span.quote.charCodeAt(0)) : undefined;
  },
  word: ({ body }) => {
    if (body?.kind !== 'word') return undefined;
    const { closes, calls } = body.form;
    body.rest ??= stopCharsFor('arguments', closes.length === 0 && !calls ? '\n' : firstsOf(closes));
    return body.rest;
  },
};

const texts = new WeakMap<Grammar, StopChars>();

function inText(grammar: Grammar): StopChars {
  const known = texts.get(grammar);
  if (known) return known;
  const rest = stopCharsFor('text', firstsOf(grammar.text.root.all.map(({ pattern }) => pattern)));
  texts.set(grammar, rest);
  return rest;
}

/** What may mean something in reasoning: a bare call does only where calls end it. */
const inThink = ({ text }: Grammar, callEnds: boolean): readonly Pattern[] =>
  text.root.all.filter(({ form }) => callEnds || !form?.bare).map(({ pattern }) => pattern);

const strings = new Map([34, 39].map((quote) => [quote, stopCharsFor('arguments', `\\${String.fromCharCode(quote)}`)]));

/** Inside a string only its closing quote and a backslash mean something. */
const inString = (quote: number): StopChars | undefined => strings.get(quote);

/** Where a row has quotes of its own, what they hold is escaped as it comes. */
const inJson = ({ string, quote }: JsonBody): StopChars | undefined =>
  string > 0 ? inString(string) : stopCharsFor('arguments', `${quote?.[0]}"\\${ascii.slice(0, 32).join('')}`);
