/** Mistakes in commas, colons, brackets, comments, literals and keys as they are written. */
import type { JsonValue } from '../../../src/json/value.ts';
import type { Random } from '../random.ts';
import { after, anyLayout, before, pickToken, rewritten, type Token, tokensOf, written } from '../tokens.ts';
import type { Meant, Mistake } from './mistake.ts';
import { every, one } from './rewriting.ts';

const isOpener = (token: Token | undefined): boolean => token?.kind === '{' || token?.kind === '[';
const isCloser = (token: Token | undefined): boolean => token?.kind === '}' || token?.kind === ']';

const at = (value: JsonValue, path: readonly (string | number)[]): JsonValue =>
  path.reduce((now, key) => (now as Record<string | number, JsonValue>)[key] as JsonValue, value);

const notes = ['the file to write', 'optional', 'see docs, section 4', 'was: "old"', "don't change", 'TODO', 'a, b'];

/** Comments stand at the end of lines or on their own, as in JSON5, YAML and Python. */
const commented =
  (sign: string) =>
  ({ value }: Meant, random: Random): string | undefined => {
    const lines = written(tokensOf(value, 'pretty')).split('\n');
    if (lines.length < 3) return undefined;
    const index = random.int(lines.length - 1);
    const note = random.pick(notes);
    const text = sign === '/*' ? `/* ${note} */` : `${sign} ${note}`;
    return lines
      .flatMap((line, row) => (row !== index ? [line] : random.chance(0.5) ? [`${line} ${text}`] : [line, `  ${text}`]))
      .join('\n');
  };

/** A line that holds one more item, taken out as programmers do. */
const commentedOut =
  (isBare: boolean) =>
  ({ value }: Meant, random: Random): string | undefined => {
    const tokens = tokensOf(value, 'pretty');
    const at = pickToken(
      tokens,
      random,
      (token) => (token.kind === 'string' || token.kind === 'number') && typeof token.path.at(-1) === 'number',
    );
    const last = at === undefined ? undefined : (tokens[at] as Token);
    if (last === undefined || (isBare && !/^[\w./:-]+$/.test(last.meant ?? last.text))) return undefined;
    const sign = random.pick(['//', '#', '// ', '# ']);
    const item = isBare ? random.pick(['old', '404', 'src/old.ts', 'user:2']) : random.pick(['"old"', '404']);
    const line = `${sign}${item}${random.pick([',', ''])}`;
    const bare = (token: Token): string | undefined =>
      token.kind === 'string' && isBare && /^[\w./:-]+$/.test(token.meant ?? '') ? token.meant : undefined;
    return rewritten(tokens, (token, index) => {
      const text = bare(token);
      return index === at ? `${line}\n    ${text ?? token.text}` : text;
    });
  };

const otherValue = (value: JsonValue): JsonValue =>
  typeof value === 'string' ? `${value}x` : typeof value === 'number' ? value + 1 : value === true ? false : 'x';

export const structureMistakes: readonly Mistake[] = [
  {
    name: 'an item commented out',
    why: 'programmers take a line out so, and models repeat their files',
    write: commentedOut(false),
  },
  {
    name: 'an item without quotes commented out',
    why: 'the same in lists of words',
    write: commentedOut(true),
  },
  {
    name: 'a comma before a closer',
    why: 'JavaScript and Python allow it',
    write: one(
      (token, index, tokens) => isCloser(token) && !isOpener(before(tokens, index)),
      (token) => `,${token.text}`,
    ),
  },
  {
    name: 'a comma lost',
    why: 'line ends stand for commas in YAML and Go',
    write: one(
      (token) => token.kind === ',',
      () => '',
      'pretty',
    ),
  },
  {
    name: 'a comma lost on one line',
    why: 'the token is skipped',
    write: one(
      (token) => token.kind === ',',
      () => '',
      'spaced',
    ),
  },
  {
    name: 'a comma twice',
    why: 'the token is repeated where an item ends',
    write: one(
      (token) => token.kind === ',',
      () => ',,',
    ),
  },
  {
    name: 'an item lost between commas',
    why: 'the item is skipped and its commas stay',
    lost: true,
    write: ({ value }, random) => {
      const tokens = tokensOf(value, 'spaced');
      const index = pickToken(
        tokens,
        random,
        (token, i) =>
          typeof token.path.at(-1) === 'number' &&
          ['string', 'number', 'literal'].includes(token.kind) &&
          before(tokens, i)?.kind === ',' &&
          after(tokens, i)?.kind === ',',
      );
      return index === undefined ? undefined : rewritten(tokens, (_, i) => (i === index ? '' : undefined));
    },
  },
  {
    name: 'a semicolon for a comma',
    why: 'TypeScript separates members so',
    write: one(
      (token) => token.kind === ',',
      () => ';',
    ),
  },
  {
    name: 'a colon lost',
    why: 'the token is skipped',
    write: one(
      (token) => token.kind === ':',
      () => '',
      'spaced',
    ),
  },
  {
    name: 'equals signs',
    why: 'TOML, HCL and Python keywords',
    write: every(
      (token) => token.kind === ':',
      () => ' =',
    ),
  },
  {
    name: 'arrows',
    why: 'Ruby and PHP',
    write: every(
      (token) => token.kind === ':',
      () => ' =>',
    ),
  },
  {
    name: 'keys without quotes',
    why: 'JavaScript objects',
    write: every(
      (token) => token.kind === 'key',
      (token) => token.meant ?? '',
    ),
  },
  {
    name: 'keys in apostrophes',
    why: 'JavaScript and Python',
    write: every(
      (token) => token.kind === 'key',
      (token) => `'${token.meant}'`,
    ),
  },
  {
    name: 'a key without its first quote',
    why: 'the quote is merged with what stands before it',
    write: one(
      (token) => token.kind === 'key',
      (token) => token.text.slice(1),
      'spaced',
    ),
  },
  {
    name: 'a key without its last quote',
    why: 'the same at its end',
    write: one(
      (token) => token.kind === 'key',
      (token) => token.text.slice(0, -1),
      'spaced',
    ),
  },
  { name: 'a // comment', why: 'JavaScript and JSON5', write: commented('//') },
  { name: 'a # comment', why: 'Python and YAML', write: commented('#') },
  { name: 'a block comment', why: 'JavaScript and SQL', write: commented('/*') },
  {
    name: 'the end of a list left out',
    why: 'models abbreviate long lists with an ellipsis',
    lost: true,
    write: one(
      (token, index, tokens) => token.kind === ']' && !isOpener(before(tokens, index)),
      (_, random) => random.pick([', ...]', ', …]']),
    ),
  },
  {
    name: 'the last closer lost',
    why: 'models stop one bracket early',
    write: ({ value }, random) => {
      const text = written(tokensOf(value, random.pick(['compact', 'spaced'] as const)));
      return /^[[{]/.test(text) ? text.slice(0, -1) : undefined;
    },
  },
  {
    name: 'the last quote and brace swapped',
    why: 'models write the signs at the end of a call in the wrong order',
    write: ({ value }, random) => {
      const text = written(tokensOf(value, random.pick(['compact', 'spaced'] as const)));
      return /"[}\]]+$/.test(text) ? text.replace(/"([}\]]+)$/, '$1"') : undefined;
    },
  },
  {
    name: 'a closer lost inside',
    why: 'models lose count of brackets',
    write: one(
      (token, _, tokens) => isCloser(token) && token !== tokens.at(-1),
      () => '',
    ),
  },
  {
    name: 'a closer too many inside',
    why: 'models lose count of brackets',
    write: one(
      (token, _, tokens) => isCloser(token) && token !== tokens.at(-1),
      (token) => token.text + token.text,
    ),
  },
  {
    name: 'closed too early',
    why: 'an argument is added after the object was closed',
    write: one(
      (token) => token.kind === ',' && token.path.length === 0,
      () => '},',
      'spaced',
    ),
  },
  {
    name: 'closed too early inside',
    why: 'an argument is added after an inner object was closed, which then has a closer too many',
    write: one(
      (token, index, tokens) => token.kind === ',' && token.path.length > 0 && after(tokens, index)?.kind === 'key',
      () => '},',
      'spaced',
    ),
  },
  {
    name: 'a closer too many at the end',
    why: 'models lose count of brackets',
    write: ({ value }, random) => `${written(tokensOf(value, anyLayout(random)))}${random.pick(['}', ']', '}}'])}`,
  },
  {
    name: 'a bracket of the wrong kind',
    why: 'models lose track of what is open',
    write: one(
      (token) => isCloser(token),
      (token) => (token.text === '}' ? ']' : '}'),
    ),
  },
  {
    name: 'the first brace lost',
    why: 'the template wrote it, or it was merged with a token before',
    write: ({ value }) => {
      const text = written(tokensOf(value, 'spaced'));
      return text.startsWith('{') ? text.slice(1) : undefined;
    },
  },
  {
    name: 'a key twice, corrected',
    why: 'models correct themselves by writing the key again',
    lost: true,
    evenStrict: true,
    write: ({ value }, random) => {
      const tokens = tokensOf(value, anyLayout(random));
      const index = pickToken(tokens, random, (token, i) => token.kind === 'key' && !isOpener(after(tokens, i + 1)));
      const key = tokens[index ?? -1];
      if (key === undefined) return undefined;
      const other = JSON.stringify(otherValue(at(value, key.path)));
      return rewritten(tokens, (_, i) => (i === index ? `${key.text}: ${other}, ${key.text}` : undefined));
    },
  },
];
