import type { ModelRequest, ResultPart, ToolSpec } from '../../model/index.ts';
import { hasErrorText } from '../wire/errors.ts';
import type { Script, ScriptedTurn } from './script.ts';

/** A conversation that demonstrates how a bad call is handled: a prompt, the tools, and a scripted model. */
export interface Demo {
  readonly name: string;
  /** One sentence about what it demonstrates. */
  readonly about: string;
  readonly question: string;
  readonly tools: readonly ToolSpec[];
  /** The model reads its results, and corrects a call only after feedback. */
  readonly script: Script;
}

const readFile: ToolSpec = {
  type: 'function',
  name: 'read_file',
  description: 'Reads a file, or a number of its lines',
  schema: {
    type: 'object',
    properties: { file_path: { type: 'string' }, limit: { type: 'integer', minimum: 1 } },
    required: ['file_path'],
    additionalProperties: false,
  },
};

const writeFile: ToolSpec = {
  type: 'function',
  name: 'write_file',
  description: 'Writes a file',
  schema: {
    type: 'object',
    properties: { file_path: { type: 'string' }, content: { type: 'string' } },
    required: ['file_path', 'content'],
    additionalProperties: false,
  },
};

/** All demo conversations. */
export const demos: readonly Demo[] = [
  {
    name: 'mended',
    about: 'A call with single quotes, a trailing comma and a number in quotes runs as intended.',
    question: 'What does notes.md say?',
    tools: [readFile],
    script: reacting({
      first: { text: 'I read it.', calls: [{ name: 'read_file', arguments: "{file_path: 'notes.md', limit: '5',}" }] },
      done: 'That is what the file says.',
    }),
  },
  {
    name: 'corrected',
    about: 'A call without its path is refused. The model gets feedback and calls again.',
    question: 'What does notes.md say?',
    tools: [readFile],
    script: reacting({
      first: { text: 'I read it.', calls: [{ name: 'read_file', arguments: '{"limit": 5}' }] },
      corrected: { calls: [{ name: 'read_file', arguments: '{"file_path": "notes.md", "limit": 5}' }] },
      done: 'That is what the file says.',
    }),
  },
  {
    name: 'truncated',
    about: 'A call truncated by the token limit never runs. The model writes less, and the next one does.',
    question: 'Write a long poem into poem.md.',
    tools: [writeFile],
    script: reacting({
      first: {
        calls: [{ name: 'write_file', arguments: '{"file_path": "poem.md", "content": "Of all the trees that ever' }],
        finish: 'length',
      },
      corrected: {
        calls: [{ name: 'write_file', arguments: '{"file_path": "poem.md", "content": "Of all the trees."}' }],
      },
      done: 'The poem is shorter now, and it is saved.',
    }),
  },
  {
    name: 'unknown',
    about: 'A call to an unknown tool gets a list of the available tools.',
    question: 'What does notes.md say?',
    tools: [readFile],
    script: reacting({
      first: { calls: [{ name: 'open_document', arguments: '{"file_path": "notes.md"}' }] },
      corrected: { calls: [{ name: 'read_file', arguments: '{"file_path": "notes.md"}' }] },
      done: 'That is what the file says.',
    }),
  },
];

/** A model that calls a tool, corrects the call after each error result, and ends after any other result. */
function reacting({ first, corrected = first, done }: Reaction): Script {
  return (question) => {
    const results = lastResults(question);
    if (results.length === 0) return first;
    return results.some(failed) ? corrected : done;
  };
}

/** Some API formats can't flag an error, so its text is checked too. */
const failed = ({ isError, content }: ResultPart): boolean =>
  isError === true || content.some((part) => part.type === 'text' && hasErrorText(part.text));

interface Reaction {
  readonly first: ScriptedTurn;
  readonly corrected?: ScriptedTurn;
  readonly done: string;
}

function lastResults({ messages }: ModelRequest): ResultPart[] {
  const last = messages.at(-1);
  return last?.role === 'user' ? last.parts.filter((part) => part.type === 'result') : [];
}
