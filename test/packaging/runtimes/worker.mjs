/** Bundled and run in workerd, which has neither Node nor code generation. Throws if a result is not the expected one. */
import { feedback, mend, mendValue, Toolbox, tool } from 'toolmend';
import { readCalls } from 'toolmend/dialect';
import { readJson } from 'toolmend/json';
import { ask } from 'toolmend/output';
import { scripted } from 'toolmend/provider';
import { mendToolCalls } from 'toolmend/sdk';
import { z } from 'zod';

const properties = { path: { type: 'string', pattern: '^[a-z]+\\.ts$' }, limit: { type: 'integer' } };
const readFile = tool({
  name: 'read_file',
  description: 'Reads a file',
  effect: 'read',
  inputSchema: { type: 'object', properties, required: ['path'] },
});
const writeFile = tool({
  name: 'write_file',
  description: 'Writes a file',
  inputSchema: z.object({ path: z.string(), lines: z.number() }),
});
const toolbox = new Toolbox([readFile, writeFile]);

async function* chunks() {
  yield '{"n": [1, ';
  yield '"2"],}';
}

const results = async () => {
  const json = mend({ name: 'readFile', arguments: "{path: 'a.ts', limit: '5',}" }, toolbox);
  const zod = mend({ name: 'write_file', arguments: "{'path': 'a.ts', 'lines': '3'}" }, toolbox);
  const bad = mend({ name: 'read_file', arguments: '{"path": "A.ts"}' }, toolbox);
  const written = '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>';
  const read = readCalls(written, toolbox, { dialect: 'hermes' });
  const message = {
    tool_calls: [{ id: '1', type: 'function', function: { name: 'read_file', arguments: '{path: "a.ts"}' } }],
  };
  return {
    json: json.input,
    zod: zod.input,
    feedback: feedback(bad).text.split('\n')[2],
    text: read.calls.map(({ name }) => name),
    reading: readJson('[1, 2,]').value,
    stream: (await mendValue(chunks(), z.object({ n: z.array(z.number()) })).result).value,
    ask: (await ask(scripted(["{'n': '1'}"]), z.object({ n: z.number() }), 'Count.')).value,
    sdk: mendToolCalls({ choices: [{ message, finish_reason: 'tool_calls' }] }, toolbox).outcomes.map(
      ({ input }) => input,
    ),
  };
};

const expected = {
  json: { path: 'a.ts', limit: 5 },
  zod: { path: 'a.ts', lines: 3 },
  feedback: "1. Field 'path' must match pattern: ^[a-z]+\\.ts$",
  text: ['read_file'],
  reading: [1, 2],
  stream: { n: [1, 2] },
  ask: { n: 1 },
  sdk: [{ path: 'a.ts' }],
};

export default {
  async test() {
    const [got, wanted] = [JSON.stringify(await results()), JSON.stringify(expected)];
    if (got !== wanted) throw new Error(`Expected ${wanted}, got ${got}`);
  },
};
