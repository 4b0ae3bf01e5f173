import { afterEach, describe, expect, it } from 'vitest';
import { demos } from '../../src/provider/scripted/demos.ts';
import { textModel } from '../../src/provider/text-model.ts';
import { agent } from '../../src/run/index.ts';
import { tool } from '../../src/tools/tool.ts';
import { clientFor, clients, closeServers, serving } from './clients.ts';

afterEach(closeServers);

/** What a run's calls came to, in order. */
const courses: Readonly<Record<string, readonly string[]>> = {
  mended: ['call.mended'],
  corrected: ['call.refused', 'call.accepted'],
  truncated: ['call.refused', 'call.accepted'],
  unknown: ['call.refused', 'call.accepted'],
};

describe.each(Object.keys(clients))('S1.6 an agent whose model speaks %s', (wire) => {
  // A wire that holds values and no text can't carry broken text.
  const asText = wire.startsWith('openai');
  it.each(demos.filter(({ name }) => asText || !['mended', 'truncated'].includes(name)))(
    '$name: the bad call, the feedback, the good call, success',
    async ({ name, tools, question, script }) => {
      const server = await serving(script);
      const ran: unknown[] = [];
      const made = tools.map((spec) =>
        tool({
          name: spec.name,
          description: spec.description ?? '',
          inputSchema: spec.schema as never,
          execute: (input: unknown) => {
            ran.push(input);
            return 'done';
          },
        }),
      );
      const run = agent({ model: clientFor(wire, server), tools: made }).run(question);
      const seen: string[] = [];
      for await (const { type } of run) if (/^call\.(mended|accepted|refused)$/.test(type)) seen.push(type);
      expect(seen).toEqual(courses[name]);
      expect(ran).toHaveLength(1);
    },
  );
});

it('S1.6 and one whose model writes its calls as text', async () => {
  const bad = '<tool_call>{"name": "read_file", "arguments": {"limit": 5}}</tool_call>';
  const good = '<tool_call>{"name": "read_file", "arguments": {"file_path": "a.md"}}</tool_call>';
  const server = await serving(({ messages }) => {
    const heard = JSON.stringify(messages.at(-1));
    return heard.includes('Error:') ? good : heard.includes('tool_response') ? 'Done.' : bad;
  });
  const ran: unknown[] = [];
  const input = {
    type: 'object',
    properties: { file_path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['file_path'],
  };
  const readFile = tool({
    name: 'read_file',
    description: 'Reads a file',
    inputSchema: input as never,
    execute: (given: unknown) => {
      ran.push(given);
      return 'text';
    },
  });
  const run = agent({ model: textModel(clientFor('ollama', server)), tools: [readFile] }).run('Read a.md');
  for await (const _ of run);
  expect(ran).toEqual([{ file_path: 'a.md' }]);
  expect(server.requests).toHaveLength(3);
});
