import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mendMiddleware } from '../../src/adapter/ai-sdk/mend-middleware.ts';
import type { ScriptedCall, ScriptedTurn } from '../../src/provider/scripted/script.ts';
import { converse } from './ai-sdk-run.ts';

const installed = JSON.parse(readFileSync(new URL('../../node_modules/ai/package.json', import.meta.url), 'utf8'));

it('stands on version 7 of the AI SDK', () => {
  expect(installed.version).toMatch(/^7\./);
});

const call = (name: string, given?: unknown): ScriptedTurn => ({ calls: [{ name, arguments: given } as ScriptedCall] });

interface Row {
  readonly first: ScriptedTurn;
  /** What the tool must get. */
  readonly gets: unknown;
}

/** Answers with which a run comes to nothing, and from which it is clear what is meant. */
const mended: Record<string, Row> = {
  'C4 arguments that are almost JSON': {
    first: call('read_file', "{path: 'a.ts', limit: 5,}"),
    gets: { path: 'a.ts', limit: 5 },
  },
  'C5 the name in another spelling': { first: call('readFile', '{"path": "a.ts"}'), gets: { path: 'a.ts' } },
  'C6 a call that stands in words': {
    first: { text: 'I look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>' },
    gets: { path: 'a.ts' },
  },
  'C10 a list and an object as text': {
    first: call('read_files', JSON.stringify({ paths: '["a.ts", "b.ts"]', options: '{"deep": true}' })),
    gets: { paths: ['a.ts', 'b.ts'], options: { deep: true } },
  },
  'C13 the name behind a prefix': { first: call('default_api:read_file', '{"path": "a.ts"}'), gets: { path: 'a.ts' } },
  'C15 broken JSON': { first: call('read_file', '```json\n{"path" "a.ts"}\n```'), gets: { path: 'a.ts' } },
  'a call whose answer ended in a way nobody knows': {
    first: { ...call('read_file', '{"path": "a.ts"}'), finish: 'other' },
    gets: { path: 'a.ts' },
  },
};

describe.each([
  { how: 'generateText', stream: false },
  { how: 'streamText', stream: true },
])('$how with a model that does not do better by itself', ({ stream }) => {
  it.each(Object.entries(mended))(
    '%s: nothing runs without the middleware, with it the call as it was meant',
    async (_, row) => {
      const first = { ...row.first, chunk: 3 };
      const without = await converse({ first, stream });
      expect(without.inputs).toEqual([]);
      const with_ = await converse({ first, stream, middleware: mendMiddleware() });
      expect(with_).toMatchObject({ inputs: [row.gets], text: 'Done.', finish: 'stop', steps: 2 });
    },
  );
});
