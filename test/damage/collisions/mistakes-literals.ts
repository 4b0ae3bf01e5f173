/** Mistakes in how numbers and literals are written. */
import { writePython } from '../write-python.ts';
import type { Mistake } from './mistake.ts';
import { every, one } from './rewriting.ts';

const literals: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
export const literalMistakes: readonly Mistake[] = [
  {
    name: 'Python literals',
    why: 'True, False and None',
    write: every(
      (token) => token.kind === 'literal',
      (token) => literals[token.text] ?? token.text,
    ),
  },
  {
    name: 'undefined',
    why: 'JavaScript',
    write: every(
      (token) => token.text === 'null',
      () => 'undefined',
    ),
  },
  {
    name: 'a word for null',
    why: 'Ruby, Lua and Go have nil, Rust and Scala None, and forms have n/a; models write them in any case',
    write: (meant, random) =>
      one(
        (token) => token.text === 'null',
        () => random.pick(['none', 'nil', 'N/A']),
      )(meant, random),
  },
  {
    name: 'a Python literal',
    why: 'models trained on code answer with repr()',
    write: ({ value }) => writePython(value),
  },
  {
    name: 'numbers grouped with _',
    why: 'Python and JavaScript',
    write: every(
      (token) => token.kind === 'number' && /^\d{4,}$/.test(token.text),
      (token) => token.text.replace(/\B(?=(\d{3})+$)/g, '_'),
    ),
  },
  {
    name: 'numbers grouped with commas',
    why: 'as people write amounts; without quotes the comma parts the list',
    write: every(
      (token) => token.kind === 'number' && /^\d{4,}$/.test(token.text),
      (token) => token.text.replace(/\B(?=(\d{3})+$)/g, ','),
    ),
  },
  {
    name: 'numbers grouped with blanks',
    why: 'as people write amounts in French, Russian and SI',
    write: every(
      (token) => token.kind === 'number' && /^\d{4,}$/.test(token.text),
      (token) => token.text.replace(/\B(?=(\d{3})+$)/g, ' '),
    ),
  },
  {
    name: 'a number in another notation',
    why: 'JavaScript and Python allow .5, 5. and +5',
    write: one(
      (token) => token.kind === 'number',
      (token) =>
        token.text.startsWith('0.') ? token.text.slice(1) : token.text.startsWith('-') ? token.text : `+${token.text}`,
    ),
  },
  {
    name: 'a decimal comma',
    why: 'most of Europe writes numbers so',
    write: one(
      (token) => token.kind === 'number' && token.text.includes('.'),
      (token) => token.text.replace('.', ','),
    ),
  },
];
