/** Quotes, escapes and line breaks in and around strings. */
import { isObject } from '../../src/json/value.ts';
import { textOf } from './content.ts';
import type { Sample } from './definition.ts';
import type { Kind } from './kind.ts';
import { placesOf } from './places.ts';
import { after, anyLayout, pickToken, rewritten, type Token, tokensOf } from './tokens.ts';
import { inList, inObject, withText } from './with-text.ts';
import { writePython } from './write-python.ts';

const isText = (token: Token): boolean => token.kind === 'key' || token.kind === 'string';
const same = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
const body = (token: Token): string => token.text.slice(1, -1);

const delimited =
  (open: string, close: string, unless: RegExp): Kind['apply'] =>
  ({ input }, random) => {
    const tokens = tokensOf(input, anyLayout(random));
    if (tokens.some((token) => isText(token) && unless.test(token.meant ?? ''))) return undefined;
    return { arguments: rewritten(tokens, (token) => (isText(token) ? open + body(token) + close : undefined)) };
  };

/** Quotes that touch no comma, colon or bracket: whoever reads on sees that the string did not end there. */
const innerQuotes = [
  'the "quick" brown fox',
  'print "hello world" twice',
  'a 27" screen on a desk',
  '<a href="x.html" class="big">link</a>',
  'echo "$HOME" | wc -c',
  'He called it "odd" and "rare" today',
  'print("hi")',
];
/** Quotes that touch something structural: a careful reader may see through it, or refuse. */
const hardQuotes = [
  'He said "yes", then left',
  '"all of it"',
  'keys are "a": 1 and "b": 2',
  '{"a": "b"}',
  '["x", "y"]',
  'ends with "quote"',
  '"starts" with one',
  'say "a", "b": "c" now',
];
const pairedInList = ['the "quick" fox', 'a "b" c', 'run "x" and "y" now'];
const oddInList = ['a 27" screen', 'say "hi" or " bye'];
const regexes = ['^\\d+\\.\\w*$', '\\s\\S\\d', 'C:\\Program\\Data', '\\(x\\)\\[y\\]', 'a\\.b\\.c', '\\d{3}-\\d{4}'];
const habits = ['\\$5 \\& more', '50\\% off\\!', '\\# one \\* two', 'a\\~b'];
const twofold = ['C:\\Users\\new', '\\d+\\n', 'C:\\data\\temp', '\\bword\\d\\b', 'D:\\repo\\data', '\\w+\\t\\w+'];

const swapped =
  (pool: readonly string[], where: typeof inObject, write: (text: string) => string): Kind['apply'] =>
  (sample, random) => {
    const text = random.pick(pool);
    const made = withText(sample, random, text, where);
    if (made === undefined) return undefined;
    const tokens = tokensOf(made.input, anyLayout(random));
    return {
      arguments: rewritten(tokens, (token) =>
        token.kind === 'string' && same(token.path, made.path) ? write(text) : undefined,
      ),
      expected: made.input,
    };
  };
/** The same, for calls with or without an escape that stands for a control character. */
const besideEscapes =
  (escapes: boolean, apply: Kind['apply']): Kind['apply'] =>
  (sample, random) => {
    const damaged = apply(sample, random);
    return /\\[bfnrt]/.test(String(damaged?.arguments)) === escapes ? damaged : undefined;
  };
const bareWords = ['New York', 'blue whale', 'Ada Lovelace', 'two words here'];
/** Whether an object that declares its keys has one that it doesn't declare. */
const hasUndeclared = ({ input, tool }: Sample): boolean =>
  placesOf(input, tool.inputSchema).some(
    ({ value, form }) =>
      isObject(value) &&
      form.properties !== undefined &&
      Object.keys(value).some((key) => !Object.hasOwn(form.properties ?? {}, key)),
  );
const plainQuotes = (text: string): string => `"${text}"`;
const anywhere = (): boolean => true;

const isRaw = (token: Token): boolean => token.kind === 'string' && /[\n\t\r]/.test(token.meant ?? '');
/** Escapes that stay when line breaks and tabs are written raw, other than that of a quote. */
const staysEscaped = (token: Token): boolean => /\\[^"ntr]/.test(token.text);

/** Line breaks and tabs as they are: in text with other escapes nobody can say whether those are the text's own. */
const rawLines =
  (beside: boolean): Kind['apply'] =>
  (sample, random) => {
    const text = random.pick(['one\ntwo\n', 'a:\n\tb\n\tc', 'x\r\ny', textOf(random, 'code'), 'if \\d+\nthen \\w']);
    const made = withText(sample, random, text) ?? { input: sample.input };
    const tokens = tokensOf(made.input, anyLayout(random));
    if (!tokens.some(isRaw) || tokens.some((token) => isRaw(token) && staysEscaped(token)) !== beside) return undefined;
    return {
      arguments: rewritten(tokens, (token) =>
        token.kind === 'string'
          ? token.text.replace(/\\(.)/g, (all, char: string) => ({ n: '\n', t: '\t', r: '\r' })[char] ?? all)
          : undefined,
      ),
      expected: made.input,
    };
  };

export const stringKinds: readonly Kind[] = [
  {
    name: 'single quotes',
    expect: 'lossless',
    apply: ({ input }, random) => ({
      arguments: rewritten(tokensOf(input, anyLayout(random)), (token) =>
        isText(token) ? `'${body(token).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : undefined,
      ),
    }),
  },
  {
    name: 'single quotes on keys alone',
    expect: 'lossless',
    apply: ({ input }, random) => ({
      arguments: rewritten(tokensOf(input, anyLayout(random)), (token) =>
        token.kind === 'key' ? `'${body(token)}'` : undefined,
      ),
    }),
  },
  {
    name: 'Python repr',
    expect: 'lossless',
    // A control character is written \x00 there, which JSON has no word for.
    apply: ({ input }) => {
      const text = writePython(input);
      return /\\x/.test(text) ? undefined : { arguments: text };
    },
  },
  {
    name: 'an apostrophe in a single-quoted string',
    expect: 'exact',
    apply: (sample, random) => {
      const made = withText(
        sample,
        random,
        random.pick(["don't stop", "the client's budget", "it's Ada's turn"]),
        inObject,
      );
      if (made === undefined) return undefined;
      const tokens = tokensOf(made.input, anyLayout(random));
      if (tokens.some((token) => isText(token) && !same(token.path, made.path) && /['"\\]/.test(token.meant ?? '')))
        return undefined;
      return {
        arguments: rewritten(tokens, (token) => (isText(token) ? `'${body(token)}'` : undefined)),
        expected: made.input,
      };
    },
  },
  { name: 'smart double quotes', expect: 'lossless', apply: delimited('“', '”', /["“”„]/) },
  { name: 'smart single quotes', expect: 'lossless', apply: delimited('‘', '’', /["'‘’“”]/) },
  { name: 'backtick quotes', expect: 'lossless', apply: delimited('`', '`', /[`$\\"]|\p{Cc}/u) },
  { name: 'doubled apostrophes as quotes', expect: 'safe', apply: delimited("''", "''", /['"]/) },
  { name: 'HTML entities for quotes', expect: 'safe', apply: delimited('&quot;', '&quot;', /["&]/) },
  { name: 'triple quotes', expect: 'safe', apply: delimited('"""', '"""', /"/) },
  {
    name: 'a key without its first quote',
    expect: 'exact',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, 'spaced');
      const at = pickToken(tokens, random, (token) => token.kind === 'key' && /^\w+$/.test(token.meant ?? ''));
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (token, index) => (index === at ? token.text.slice(1) : undefined)) };
    },
  },
  {
    name: 'a key without its last quote',
    expect: 'exact',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, 'spaced');
      // Before a text that begins with a colon, the quote of that text closes the key: `"a: ":"` is the key `a: ` and a text
      // that is cut off.
      const at = pickToken(
        tokens,
        random,
        (token, index) =>
          token.kind === 'key' &&
          /^\w+$/.test(token.meant ?? '') &&
          !after(tokens, tokens.indexOf(after(tokens, index) as Token))?.meant?.startsWith(':'),
      );
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (token, index) => (index === at ? token.text.slice(0, -1) : undefined)) };
    },
  },
  {
    name: 'a value without its first quote',
    expect: 'safe',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, 'spaced');
      const at = pickToken(tokens, random, (token) => token.kind === 'string' && /^\w[\w ]*$/.test(token.meant ?? ''));
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (token, index) => (index === at ? token.text.slice(1) : undefined)) };
    },
  },
  {
    name: 'a value without its last quote',
    expect: 'safe',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, anyLayout(random));
      const at = pickToken(tokens, random, (token) => token.kind === 'string' && /^\w[\w ]*$/.test(token.meant ?? ''));
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (token, index) => (index === at ? token.text.slice(0, -1) : undefined)) };
    },
  },
  {
    name: 'bare keys',
    expect: 'lossless',
    apply: ({ input }, random) => ({
      arguments: rewritten(tokensOf(input, anyLayout(random)), (token) =>
        token.kind === 'key' && /^[A-Za-z_]\w*$/.test(token.meant ?? '') ? body(token) : undefined,
      ),
    }),
  },
  {
    name: 'a bare word for a value',
    expect: 'exact',
    apply: (sample, random) =>
      swapped(['alpha', 'berlin', 'main_branch', 'user-name', 'v2'], anywhere, (text) => text)(sample, random),
  },
  {
    name: 'bare words for a value',
    expect: 'exact',
    // The text may go on behind its comma, so that what follows is a key only if it is declared.
    apply: (sample, random) =>
      hasUndeclared(sample) ? undefined : swapped(bareWords, inObject, (text) => text)(sample, random),
  },
  {
    name: 'bare words for a value, and a key that is not declared',
    expect: 'safe',
    apply: (sample, random) =>
      hasUndeclared(sample) ? swapped(bareWords, inObject, (text) => text)(sample, random) : undefined,
  },
  { name: 'inner quotes not escaped', expect: 'inferred', apply: swapped(innerQuotes, inObject, plainQuotes) },
  { name: 'inner quotes next to structure', expect: 'safe', apply: swapped(hardQuotes, inObject, plainQuotes) },
  {
    name: 'inner quotes that pair up in a list',
    expect: 'inferred',
    apply: swapped(pairedInList, inList, plainQuotes),
  },
  {
    name: 'inner quotes that do not pair up in a list',
    expect: 'refused',
    apply: swapped(oddInList, inList, plainQuotes),
  },
  { name: 'raw line breaks', expect: 'lossless', apply: rawLines(false) },
  { name: 'raw line breaks beside escapes', expect: 'refused', apply: rawLines(true) },
  {
    name: 'raw control characters',
    expect: 'lossless',
    apply: swapped(['bell\u0007here', 'a\u0001b', 'tab\there'], anywhere, plainQuotes),
  },
  {
    name: 'an invalid escape keeps its backslash',
    expect: 'lossless',
    apply: besideEscapes(false, swapped(regexes, anywhere, plainQuotes)),
  },
  // Without escaped backslashes, \n of another string may be a backslash and a letter.
  {
    name: 'an invalid escape beside \\n in another string',
    expect: 'safe',
    apply: besideEscapes(true, swapped(regexes, anywhere, plainQuotes)),
  },
  {
    name: 'an escape of shells or Markdown',
    expect: 'inferred',
    apply: besideEscapes(false, swapped(habits, anywhere, plainQuotes)),
  },
  { name: 'an invalid escape beside \\n or \\t', expect: 'refused', apply: swapped(twofold, anywhere, plainQuotes) },
  {
    name: 'a \\u that is no code',
    expect: 'refused',
    apply: swapped(['C:\\users\\share', 'D:\\utility'], anywhere, plainQuotes),
  },
  {
    name: 'escaped underscores',
    expect: 'inferred',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, anyLayout(random));
      const plain = (token: Token): boolean =>
        isText(token) && (token.meant ?? '').includes('_') && !token.text.includes('\\');
      if (!tokens.some(plain)) return undefined;
      return {
        arguments: rewritten(tokens, (token) => (plain(token) ? token.text.replaceAll('_', '\\_') : undefined)),
      };
    },
  },
  {
    name: 'escapes beside double quotes, in apostrophes of its own',
    // The only string in apostrophes: they spare its quotes a backslash, and the rest may be pasted raw.
    expect: 'refused',
    apply: swapped(['"text"\nNaN', 'print("a")\n', 'say "hi"\tand go', '/* "c" */\r\n'], anywhere, (text) =>
      JSON.stringify(text).replaceAll('\\"', '"').replace(/^.|.$/g, "'"),
    ),
  },
  {
    name: 'an escaped apostrophe in double quotes',
    // A habit, or the backslash of a shell line or a literal inside.
    expect: 'refused',
    apply: swapped(["don't stop", "it's the client's"], anywhere, (text) => `"${text.replaceAll("'", "\\'")}"`),
  },
  {
    name: 'joined strings',
    expect: 'safe',
    apply: swapped(['one two', 'three four'], inObject, (text) => `"${text.replace(' ', ' " + "')}"`),
  },
];
