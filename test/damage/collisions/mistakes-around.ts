/** Mistakes in what stands around the arguments, and arguments in another notation altogether. */
import { isObject, type JsonValue } from '../../../src/json/value.ts';
import type { Random } from '../random.ts';
import { anyLayout, tokensOf, written } from '../tokens.ts';
import { writePython } from '../write-python.ts';
import type { Meant, Mistake } from './mistake.ts';

const write = (value: JsonValue, random: Random): string => written(tokensOf(value, anyLayout(random)));
const around =
  (wrap: (text: string, random: Random, name: string) => string) =>
  ({ value, template }: Meant, random: Random): string | undefined =>
    isObject(value) || Array.isArray(value) ? wrap(write(value, random), random, template.name) : undefined;

const openings = [
  'Here is the call:\n',
  'Sure! Arguments: ',
  'I will use these arguments:\n\n',
  'Step 1 [done], step 2:\n',
];
const closings = [
  '\n\nLet me know if you need more.',
  ' — done.',
  ' ✅',
  '!',
  ' (ok)',
  '\nThat should work.',
  ';',
  '.',
];
const against = [
  'Never call this with ',
  'Do not send ',
  'I would not run it with ',
  'A wrong call would be ',
  'The docs show `',
  'Example of a bad request: "',
  'Wrong: ',
  'Bad:\n',
  '❌ Not like this:\n',
  'Falsch: ',
];

/** Flat arguments as YAML, one line each, text unquoted. */
const yaml = (value: JsonValue): string | undefined => {
  if (!isObject(value) || Object.keys(value).length < 2) return undefined;
  const lines = Object.entries(value).map(([key, part]) => {
    if (typeof part === 'string')
      return part.includes('\n')
        ? `${key}: |\n${part
            .replace(/\n$/, '')
            .split('\n')
            .map((line) => `  ${line}`)
            .join('\n')}`
        : `${key}: ${part}`;
    return typeof part === 'object' && part !== null ? undefined : `${key}: ${JSON.stringify(part)}`;
  });
  // A block scalar keeps exactly one line break at its end, and quotes or brackets at the head of a line are YAML's own.
  const kept = Object.values(value).every(
    (part) => typeof part !== 'string' || (part.includes('\n') ? /[^\n]\n$/.test(part) : !/^["'“[{]/.test(part)),
  );
  return kept && lines.every((line) => line !== undefined) ? lines.join('\n') : undefined;
};

const onlyText = (value: JsonValue): string | undefined => {
  if (!isObject(value)) return undefined;
  const [first, ...rest] = Object.values(value);
  // A null for all arguments says that there are none: nobody sends the word alone as one.
  return typeof first === 'string' && rest.length === 0 && !/^(?:null|None|undefined)$/.test(first) ? first : undefined;
};

export const aroundMistakes: readonly Mistake[] = [
  {
    name: 'a fence',
    why: 'models format JSON for people',
    write: around((text, random) => `\`\`\`${random.pick(['json', '', 'js'])}\n${text}\n\`\`\``),
  },
  {
    name: 'prose before',
    why: 'models announce what they do',
    write: around((text, random) => random.pick(openings) + text),
  },
  {
    name: 'prose after',
    why: 'models comment on what they did',
    write: around((text, random) => text + random.pick(closings)),
  },
  {
    name: 'reasoning before',
    why: 'reasoning that a server did not take off',
    write: around((text) => `<think>Maybe {"path": "x"}? No.</think>\n${text}`),
  },
  {
    name: 'a special token after',
    why: 'end tokens that a server did not take off',
    write: around((text, random) => text + random.pick(['<|im_end|>', '</s>', '<|eot_id|>'])),
  },
  { name: 'tags around', why: 'markup of the template', write: around((text) => `<tool_call>\n${text}\n</tool_call>`) },
  { name: 'the same twice', why: 'models repeat themselves', write: around((text) => `${text}\n${text}`) },
  {
    name: 'a sentence against it',
    why: 'models explain what not to do; that is no call',
    lost: true,
    write: around((text, random) => {
      const lead = random.pick(against);
      return lead + text + (lead.endsWith('`') ? '`' : lead.endsWith('"') ? '"' : '.');
    }),
  },
  { name: 'in parentheses', why: 'an object as an expression of JavaScript', write: around((text) => `(${text})`) },
  { name: 'braces doubled around', why: 'templates write a brace twice', write: around((text) => `{${text}}`) },
  {
    name: 'a quote after the end',
    why: 'models close a quotation or a string that they did not open',
    write: around((text, random) => text + random.pick(['"', "'", '`'])),
  },
  { name: 'written as a call', why: 'models write code', write: around((text, _, name) => `${name}(${text})`) },
  {
    name: 'a Python call',
    why: 'models write code',
    write: ({ value, template }) =>
      isObject(value) && template.way === 'call'
        ? `${template.name}(${Object.entries(value)
            .map(([key, part]) => `${key}=${writePython(part)}`)
            .join(', ')})`
        : undefined,
  },
  {
    name: 'parameter tags',
    why: 'models write the XML of another template, which keeps no space at the ends of a value',
    write: ({ value, template }) =>
      isObject(value) &&
      template.way === 'call' &&
      Object.values(value).every((part) => typeof part === 'string' && part.trim() === part)
        ? Object.entries(value)
            .map(([key, part]) => `<${key}>${part}</${key}>`)
            .join('\n')
        : undefined,
  },
  {
    name: 'YAML',
    why: 'models write settings so',
    write: ({ value, template }) => (template.way === 'call' ? yaml(value) : undefined),
  },
  {
    name: 'the one argument alone',
    why: 'with one text to send, models send the text',
    write: ({ value, template }) => (template.way === 'call' ? onlyText(value) : undefined),
  },
  {
    name: 'a scalar in a sentence',
    why: 'models answer in words where one word was wanted',
    write: ({ value }, random) =>
      typeof value === 'string' || typeof value === 'number'
        ? random.pick([
            `${value}.`,
            `\`\`\`\n${value}\n\`\`\``,
            `<think>Maybe negative, or 7.</think>${value}`,
            `**${value}**`,
            `"${value}"`,
          ])
        : undefined,
  },
  {
    name: 'a scalar taken back',
    why: 'models weigh answers before they give one',
    lost: true,
    write: ({ value }, random) =>
      typeof value === 'string' || typeof value === 'number'
        ? random.pick([`Not ${value}.`, `Either ${value} or something else`, `It is not ${value}`])
        : undefined,
  },
  {
    name: 'a footnote after',
    why: 'models that search cite their sources',
    write: ({ value, template }, random) =>
      template.way === 'value' && Array.isArray(value) ? `${write(value, random)}\n\nSource: [1]` : undefined,
  },
];
