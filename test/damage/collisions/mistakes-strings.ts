/** Mistakes in how a string is quoted and escaped. */
import { pickToken, rewritten, type Token, tokensOf } from '../tokens.ts';
import { writePython } from '../write-python.ts';
import { bodyOf, escapes, isJson, type Mistake, writingStrings } from './mistake.ts';

const quoted = (body: string): string => `"${body}"`;
const lineBreaks: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\r': '\r' };

/** `\_` alone is read as an underscore that Markdown escaped; that LaTeX may have written it is an accepted risk. */
const onlyUnderscores = (text: string): boolean => text.includes('\\') && !/\\(?!_)/.test(text);

/** Where every backslash is doubled, it was escaped: that the text has them twice is an accepted risk. */
const isDoubled = (text: string): boolean => text.includes('\\') && !/(?<!\\)\\(?!\\)/.test(text);

/** Splits at a space in the middle, so that both parts are words. */
const halves = (text: string): [string, string] | undefined => {
  const at = text.indexOf(' ', Math.floor(text.length / 3));
  return at > 0 && at < text.length - 1 ? [text.slice(0, at + 1), text.slice(at + 1)] : undefined;
};

/**
 * Text that somebody may leave without quotes. Not so: what has quotes or brackets of its own at its head, what would be a
 * literal or, where any type fits, JSON; and commas in an item of a
 * list or before a key, which every notation quotes.
 */
const bare = (text: string, _: unknown, token: Token, loose: boolean): string | undefined =>
  /^$|\n|^["'“‘`[{]|^(?:null|None|NaN|true)$/.test(text) ||
  (loose && isJson(text)) ||
  (typeof token.path.at(-1) === 'number' ? text.includes(',') : /, *\w+ *[:=]/.test(text))
    ? undefined
    : text;

/** What shows that it is a path or a pattern: a drive, a server, dots or a file's name, and `\\b` or `\\f`. */
const pasted = /^[^'"]*(?:(?:^|[\s=(])(?:[C-Z]:|\.\.?|\\\\\w+)\\\w|^\w+(?:\\\w+)*\.\w+$|\\[bf])[^'"]*$/;

export const stringMistakes: readonly Mistake[] = [
  {
    name: 'a string pasted raw',
    why: 'models copy code and commands into the quotes and escape nothing',
    write: writingStrings((text) => (onlyUnderscores(text) ? undefined : quoted(text))),
  },
  {
    name: 'quotes not escaped',
    why: 'the commonest mistake of small models: everything is escaped but the quotes',
    write: writingStrings((text) => quoted(escapes(bodyOf(text), (one) => (one === '\\"' ? '"' : undefined)))),
  },
  {
    name: 'quotes escaped at first, then not',
    why: 'in long values models fall out of escaping half-way',
    write: writingStrings((text, random) => {
      const count = text.split('"').length - 1;
      if (count < 2) return undefined;
      const from = 2 * random.between(1, Math.max(1, Math.floor(count / 2) - 1));
      let seen = 0;
      return quoted(
        escapes(bodyOf(text), (one) => {
          if (one !== '\\"') return undefined;
          seen += 1;
          return seen > from ? '"' : undefined;
        }),
      );
    }),
  },
  {
    name: 'line breaks not escaped',
    why: 'models write multi-line values as they are, and escape the quotes in them',
    write: writingStrings((text) => quoted(escapes(bodyOf(text), (one) => lineBreaks[one]))),
  },
  {
    name: 'backslashes not escaped',
    why: 'paths, regular expressions and LaTeX are copied as they are, while quotes and line breaks are escaped',
    write: writingStrings((text) =>
      onlyUnderscores(text) ? undefined : quoted(escapes(bodyOf(text), (one) => (one === '\\\\' ? '\\' : undefined))),
    ),
  },
  {
    name: 'no backslash escaped in the whole call',
    why: 'who copies one path or pattern as it is copies all of them so',
    write: writingStrings(
      (text) =>
        onlyUnderscores(text) || isDoubled(text)
          ? undefined
          : quoted(escapes(bodyOf(text), (one) => (one === '\\\\' ? '\\' : undefined))),
      'values',
    ),
  },
  {
    name: 'quotes escaped twice',
    why: 'models that escape for two layers write \\\\" for a quote',
    write: writingStrings((text) => quoted(escapes(bodyOf(text), (one) => (one === '\\"' ? '\\\\"' : undefined)))),
  },
  {
    name: 'apostrophes escaped',
    why: "a habit from Python, JavaScript and SQL in which \\' is an escape",
    write: writingStrings((text) => quoted(bodyOf(text).replaceAll("'", "\\'"))),
  },
  {
    name: 'underscores escaped',
    why: 'a habit from Markdown, seen with Mistral and GPT-4 class models in names and paths',
    write: writingStrings((text) => quoted(bodyOf(text).replaceAll('_', '\\_'))),
  },
  {
    name: 'Python strings',
    why: 'models trained on code answer with a Python literal',
    write: writingStrings((text) => writePython(text), 'all'),
  },
  {
    name: 'apostrophes for quotes, the text as JSON has it',
    why: 'only the delimiters are exchanged; apostrophes in the text stay',
    write: writingStrings((text) => `'${escapes(bodyOf(text), (one) => (one === '\\"' ? '"' : undefined))}'`, 'all'),
  },
  {
    name: 'a string with quotes pasted raw between apostrophes',
    why: 'models exchange the delimiters of one string, so that its quotes need no backslash, and escape nothing else',
    write: writingStrings((text) => (!text.includes('"') || onlyUnderscores(text) ? undefined : `'${text}'`)),
  },
  {
    name: 'a path or pattern pasted raw between apostrophes',
    why: 'models that answer with a Python or JavaScript literal forget the backslashes of paths and patterns alone',
    write: ({ value }, random) => {
      const tokens = tokensOf(value);
      const at = pickToken(
        tokens,
        random,
        ({ kind, meant = '' }) => kind === 'string' && pasted.test(meant) && !isDoubled(meant),
      );
      if (at === undefined) return undefined;
      const inPython = random.chance(0.5);
      return rewritten(tokens, ({ kind, meant = '' }, index) =>
        index === at
          ? `'${meant}'`
          : inPython && (kind === 'string' || kind === 'key')
            ? writePython(meant)
            : undefined,
      );
    },
  },
  {
    name: 'apostrophes around one string with quotes',
    why: 'the same, with everything else escaped as in JSON',
    write: writingStrings((text) =>
      text.includes('"') ? `'${escapes(bodyOf(text), (one) => (one === '\\"' ? '"' : undefined))}'` : undefined,
    ),
  },
  {
    name: 'curly quotes for delimiters',
    why: 'models that write prose set typographic quotes around values',
    write: writingStrings((text) => `“${bodyOf(text)}”`, 'all'),
  },
  {
    name: 'every quote curled',
    why: 'text that went through a word processor or a typographic model',
    write: writingStrings(
      (text) => `“${escapes(bodyOf(text), (one) => (one === '\\"' ? '"' : undefined)).replace(/"([^"]*)"/g, '“$1”')}”`,
      'all',
    ),
  },
  {
    name: 'a template literal',
    why: 'JavaScript writes multi-line text in backticks, with its own escapes',
    write: writingStrings(
      (text) => `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``,
    ),
  },
  {
    name: 'a raw string in backticks',
    why: 'Go and Markdown take what stands in backticks as it is',
    write: writingStrings((text) => (/`|\$\{/.test(text) || onlyUnderscores(text) ? undefined : `\`${text}\``)),
  },
  {
    name: 'triple quotes',
    why: 'Python writes multi-line text so, quotes and line breaks raw, backslashes escaped',
    write: writingStrings((text) => (/"$|"""/.test(text) ? undefined : `"""${text.replaceAll('\\', '\\\\')}"""`)),
  },
  {
    name: 'a raw Python string',
    why: 'regular expressions and Windows paths are written r"…" in Python',
    write: writingStrings((text) => (/["\n]|\\$/.test(text) ? undefined : `r"${text}"`)),
  },
  {
    name: 'Latin letters as \\x',
    why: 'Python and JavaScript write é as \\xe9',
    write: writingStrings((text) =>
      quoted(bodyOf(text).replace(/[\u0080-\u00ff]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`)),
    ),
  },
  {
    name: 'a \\u that lost a digit',
    why: 'models count hexadecimal digits badly',
    write: writingStrings((text) => {
      const at = [...text].findIndex((char) => char > '\u007f' && char < '\uffff');
      if (at < 0) return undefined;
      return quoted(
        [...text]
          .map((char, index) =>
            index === at ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').slice(0, 3)}` : bodyOf(char),
          )
          .join(''),
      );
    }),
  },
  {
    name: 'code points in braces',
    why: 'JavaScript writes characters outside the basic plane \\u{1f44d}',
    write: writingStrings((text) =>
      quoted(
        bodyOf(text).replace(/\p{Extended_Pictographic}/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`),
      ),
    ),
  },
  {
    name: 'a string in two pieces',
    why: 'JavaScript and Python code joins long strings with +',
    write: writingStrings((text, random) => {
      const parts = halves(text);
      return parts?.map((part) => quoted(bodyOf(part))).join(random.pick([' + ', ' +\n    ']));
    }),
  },
  {
    name: 'quotations that lost the quotes around them',
    why: 'a command of quoted words looks quoted already, and gets no quotes of its own',
    write: writingStrings((text) => (/^"[^"\\]*"(?:\s+"[^"\\]*")+$/.test(text) ? text : undefined)),
  },
  {
    name: 'a list that lost its brackets and commas',
    why: 'models write the items one after the other, each in its quotes',
    write: ({ value }, random) => {
      const tokens = tokensOf(value);
      const strings = (token: Token, path: string): boolean =>
        token.kind === 'string' && JSON.stringify(token.path.slice(0, -1)) === path;
      const at = pickToken(
        tokens,
        random,
        ({ kind, path }) => kind === 'string' && path.at(-1) === 1 && typeof path.at(-2) === 'string',
      );
      const list = at === undefined ? undefined : JSON.stringify(tokens[at]?.path.slice(0, -1));
      if (list === undefined) return undefined;
      const from = tokens.findIndex((token) => strings(token, list)) - 1;
      const to = tokens.findLastIndex((token) => strings(token, list)) + 1;
      const gap = random.pick([' ', '\n  ']);
      return rewritten(tokens, (token, index) => {
        if (index < from || index > to || token.kind === 'string') return undefined;
        return token.kind === ',' ? gap : '';
      });
    },
  },
  {
    name: 'a string in two lines of Python',
    why: 'Python joins adjacent strings',
    write: writingStrings((text) => {
      const parts = halves(text);
      return parts && `(${parts.map((part) => quoted(bodyOf(part))).join('\n    ')})`;
    }),
  },
  {
    name: 'an item in two pieces of Python',
    why: 'Python joins adjacent strings in lists, too',
    write: ({ value }, random) => {
      const tokens = tokensOf(value);
      const at = pickToken(tokens, random, (token) => token.kind === 'string' && typeof token.path.at(-1) === 'number');
      const text = at === undefined ? '' : (tokens[at]?.meant ?? '');
      if (text.length < 4) return undefined;
      const middle = Math.floor(text.length / 2);
      const pieces = [text.slice(0, middle), text.slice(middle)].map(writePython).join(random.pick([' ', '\n    ']));
      const inPython = (token: Token): string | undefined =>
        token.kind === 'string' || token.kind === 'key'
          ? writePython(token.meant ?? '')
          : token.kind === 'literal'
            ? writePython(JSON.parse(token.text))
            : undefined;
      return rewritten(tokens, (token, index) => (index === at ? pieces : inPython(token)));
    },
  },
  {
    name: 'a backslash at the line end',
    why: 'JavaScript and shells continue a long line so',
    write: writingStrings((text) => {
      const parts = halves(text);
      return parts && quoted(parts.map(bodyOf).join('\\\n'));
    }),
  },
  {
    name: 'one string without quotes',
    why: 'YAML and JavaScript objects leave quotes away, and models mix these with JSON',
    write: writingStrings(bare),
  },
  {
    name: 'no quotes around values',
    why: 'the same for the whole call',
    write: writingStrings(bare, 'values'),
  },
  {
    name: 'no quotes at all',
    why: 'the same with keys',
    write: writingStrings(bare, 'all'),
  },
  {
    name: 'a string without its first quote',
    why: 'tokenizers merge the quote with what stands before it, and it is lost',
    write: writingStrings((text) => `${bodyOf(text)}"`),
  },
  {
    name: 'a string without its last quote',
    why: 'the same at the end',
    write: writingStrings((text) => `"${bodyOf(text)}`),
  },
  {
    name: 'quotes doubled around',
    why: 'templates that quote a value which already has its quotes',
    write: writingStrings((text) => `""${bodyOf(text)}""`),
  },
  {
    name: 'a quote too many',
    why: 'models close a string, notice it and go on with the text',
    // After a number it is read as inches.
    write: writingStrings((text, random) => {
      const ends = [...text.matchAll(/(?<=\p{L})(?=[ ,;:])/gu)];
      if (ends.length === 0 || text.includes('"')) return undefined;
      const { index } = random.pick(ends);
      return quoted(`${bodyOf(text.slice(0, index))}"${bodyOf(text.slice(index))}`);
    }),
  },
];
