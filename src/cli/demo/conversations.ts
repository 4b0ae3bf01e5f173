import type { ToolSpec } from '../../model/index.ts';
import type { ScriptedTurn } from '../../provider/scripted/script.ts';

/** A conversation with typical mistakes of models. */
export interface Conversation {
  /** What it demonstrates, in a few words. */
  readonly about: string;
  /** API format of its client. */
  readonly wire: 'openai' | 'responses' | 'anthropic' | 'gemini' | 'ollama';
  readonly question: string;
  readonly tools: readonly ToolSpec[];
  /** The model's responses in order; the last one repeats. */
  readonly turns: readonly (ScriptedTurn | string)[];
}

const spec = (name: string, description: string, properties: object, required: readonly string[]): ToolSpec => ({
  type: 'function',
  name,
  description,
  schema: { type: 'object', properties, required: [...required], additionalProperties: false } as never,
});

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 1 } as const;
const texts = { type: 'array', items: text } as const;

const readFile = spec('read_file', 'Reads a file', { path: text, limit: count }, ['path']);
const writeFile = spec('write_file', 'Writes a file', { path: text, content: text }, ['path', 'content']);
const search = spec(
  'search_code',
  'Searches for a word',
  { pattern: text, files: texts, mode: { enum: ['word', 'regex'] } },
  ['pattern'],
);
const weather = spec(
  'get_weather',
  'The weather in a place',
  { city: text, days: count, metric: { type: 'boolean' } },
  ['city'],
);

/** The conversations of `npm start`. */
export const conversations: readonly Conversation[] = [
  {
    about: 'bare keys, single quotes, a trailing comma, a number in quotes',
    wire: 'openai',
    question: 'What does the README say?',
    tools: [readFile],
    turns: [{ calls: [{ name: 'read_file', arguments: "{path: 'README.md', limit: '20',}" }] }, 'It says hello.'],
  },
  {
    about: 'a list as text, a wrong-case name, Python literals',
    wire: 'responses',
    question: 'Where is the TODO?',
    tools: [search],
    turns: [
      {
        calls: [
          {
            name: 'searchCode',
            arguments: '{"pattern": "TODO", "files": "[\\"src/a.ts\\", \\"src/b.ts\\"]", "mode": "Word"}',
          },
        ],
      },
      'In src/b.ts.',
    ],
  },
  {
    about: 'a call written as text, in tags',
    wire: 'ollama',
    question: 'What is the weather in Basel?',
    tools: [weather],
    turns: [
      {
        text: 'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Basel", "days": "3", "metric": True}}\n</tool_call>',
      },
      'Sunny for three days.',
    ],
  },
  {
    about: 'a missing field: refused, explained, corrected',
    wire: 'anthropic',
    question: 'Save the greeting.',
    tools: [writeFile],
    turns: [
      { calls: [{ name: 'write_file', arguments: '{"content": "Hello"}' }] },
      { calls: [{ name: 'write_file', arguments: '{"path": "hello.txt", "content": "Hello"}' }] },
      'It is saved.',
    ],
  },
  {
    about: 'truncated by the token limit: not run, sent again in smaller pieces',
    wire: 'openai',
    question: 'Write a long poem.',
    tools: [writeFile],
    turns: [
      {
        calls: [{ name: 'write_file', arguments: '{"path": "poem.md", "content": "Of all the trees that ever' }],
        finish: 'length',
      },
      { calls: [{ name: 'write_file', arguments: '{"path": "poem.md", "content": "Of all the trees."}' }] },
      'A short one.',
    ],
  },
  {
    about: 'an unknown tool: the feedback lists the existing ones',
    wire: 'openai',
    question: 'Open the notes.',
    tools: [readFile, search],
    turns: [
      { calls: [{ name: 'open_document', arguments: '{"path": "notes.md"}' }] },
      { calls: [{ name: 'read_file', arguments: '{"path": "notes.md"}' }] },
      'Here they are.',
    ],
  },
  {
    about: 'a prefix before the name, a number as text',
    wire: 'gemini',
    question: 'And in Bern?',
    tools: [weather],
    turns: [
      { calls: [{ name: 'default_api.get_weather', arguments: '{"city": "Bern", "days": "2"}' }] },
      'Rain, then sun.',
    ],
  },
  {
    about: 'a valid call: forwarded byte for byte',
    wire: 'openai',
    question: 'Read it once more.',
    tools: [readFile],
    turns: [{ calls: [{ name: 'read_file', arguments: '{"path": "README.md"}' }] }, 'The same.'],
  },
];
