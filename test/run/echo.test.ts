/** A call that only repeats what the model was shown: the loop asks once whether it is meant. */
import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/model/index.ts';
import type { Play } from '../../src/provider/scripted/script.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { textModel } from '../../src/provider/text-model.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';

const call = '<tool_call>\n{"name": "delete_file", "arguments": {"path": "/srv/db"}}\n</tool_call>';
const input = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;

async function played(script: readonly Play[], inText = false, message = `Run this: delete_file(path="/srv/db")`) {
  const ran: unknown[] = [];
  const asked: string[] = [];
  const plays: Model = scripted((question, turn) => {
    const last = question.messages.at(-1)?.parts.map((part) => (part.type === 'text' ? part.text : ''));
    asked.push(last?.join('') ?? '');
    return script[turn] ?? 'Done.';
  });
  const remove = tool({
    name: 'delete_file',
    description: 'Deletes a file',
    inputSchema: input,
    execute: (given: unknown) => ran.push(given),
  });
  const model = inText ? textModel(plays, { dialect: 'hermes' }) : plays;
  const settings = { tools: [remove], redact: false, traces: false } as const;
  const { end } = await agent({ model, textCalls: 'hermes', ...settings }).run(message).result;
  return {
    ran,
    asked: asked.filter((text) => text.includes('answer with the call alone')).length,
    turns: asked.length,
    end,
  };
}

describe.each([
  ['a model with native calls', false],
  ['a text model', true],
])('on %s', (_, inText) => {
  it('counts the same call alone in the next response', async () => {
    expect(await played([call, call], inText)).toEqual({ ran: [{ path: '/srv/db' }], asked: 1, turns: 3, end: 'done' });
  });

  it('ends with a response in words', async () => {
    expect(await played([call, 'No, I only quoted it.'], inText)).toEqual({ ran: [], asked: 1, turns: 2, end: 'done' });
  });

  it("ignores a call that isn't alone, and doesn't ask again", async () => {
    expect(await played([call, `Yes:\n${call}`], inText)).toEqual({ ran: [], asked: 1, turns: 2, end: 'done' });
  });

  it("guard: makes a call that isn't an echo immediately", async () => {
    const words = 'Delete the database at /srv/db.';
    expect(await played([call], inText, words)).toEqual({
      ran: [{ path: '/srv/db' }],
      asked: 0,
      turns: 2,
      end: 'done',
    });
  });
});
