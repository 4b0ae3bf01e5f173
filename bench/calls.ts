/** Realistic calls of given sizes, and kinds of damage for them. */
import type { JsonObject } from '../src/json/value.ts';
import { anyText } from '../test/damage/content.ts';
import type { Subject } from '../test/damage/definition.ts';
import { randomFrom } from '../test/damage/random.ts';
import { subjects } from '../test/damage/schemas.ts';
import { type Token, tokensOf, written } from '../test/damage/tokens.ts';

export interface Call {
  readonly subject: Subject;
  readonly input: JsonObject;
  readonly text: string;
}

const subject = (name: string): Subject => {
  const found = subjects.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};
const callOf = (one: Subject, input: JsonObject): Call => ({ subject: one, input, text: JSON.stringify(input) });

/** Calls of about 200 characters, from every tool that has one. */
export const smallCalls = (): Call[] =>
  subjects.flatMap((one) => {
    for (let seed = 1; seed < 300; seed += 1) {
      const call = callOf(one, one.make(randomFrom(seed)));
      if (call.text.length >= 160 && call.text.length <= 240) return [call];
    }
    return [];
  });

const prose = (length: number): string => {
  const random = randomFrom(length);
  let text = '';
  while (text.length < length) text += `${anyText(random)}\n`;
  return text.slice(0, length);
};

/** Three calls of about this length: one long text, many small edits, many numbers. */
export const largeCalls = (length: number): Call[] => {
  const random = randomFrom(7);
  const edits: JsonObject[] = [];
  for (let size = 0; size < length; size += 90)
    edits.push({ old_text: prose(30 + random.int(10)), new_text: prose(20), replace_all: random.chance(0.5) });
  const points: number[][] = [];
  for (let size = 0; size < length; size += 14) points.push([random.int(10_000), random.int(1000) / 8]);
  return [
    callOf(subject('write_file'), { path: 'src/main.ts', content: prose(length * 0.85) }),
    callOf(subject('fs_multi_edit'), { path: 'src/main.ts', edits }),
    callOf(subject('draw_polygon'), { points, style: ['thin', 2, true] }),
  ];
};

const map = (call: Call, layout: 'spaced' | 'pretty', change: (token: Token) => string): string =>
  tokensOf(call.input, layout).map(change).join('');
const python: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** Kinds of damage that both we and jsonrepair can mend, for a fair comparison. */
export const repairable: Readonly<Record<string, (call: Call) => string>> = {
  'trailing commas': (call) =>
    map(call, 'spaced', (token) =>
      token.kind === '}' || token.kind === ']' ? `,${token.text}` : token.text,
    ).replaceAll('[,]', '[]'),
  'single quotes': (call) =>
    map(call, 'spaced', (token) =>
      token.kind === 'key' || token.kind === 'string'
        ? `'${token.text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
        : token.text,
    ),
  'bare keys': (call) => map(call, 'spaced', (token) => (token.kind === 'key' ? (token.meant ?? '') : token.text)),
  'a fence': (call) => `\`\`\`json\n${written(tokensOf(call.input, 'pretty'))}\n\`\`\``,
  comments: (call) => map(call, 'pretty', (token) => (token.kind === '{' ? '{ /* here */' : token.text)),
  'Python words': (call) =>
    map(call, 'spaced', (token) => (token.kind === 'literal' ? (python[token.text] ?? '') : token.text)).replace(
      /\}$/,
      ',}',
    ),
  'no commas, line by line': (call) => map(call, 'pretty', (token) => (token.kind === ',' ? '' : token.text)),
  'missing brace': (call) => call.text.replace(/\}$/, ''),
};
