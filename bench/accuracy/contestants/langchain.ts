import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import type { Definition } from '../../../test/damage/definition.ts';
import type { Stage } from '../../one-call-model.ts';
import type { Contestant } from '../contestant.ts';
import { type ScriptedModel, steps } from '../scripted-model.ts';

/** LangChain's own agent with the tools' JSON Schemas, which it validates itself. */
export function langchain(model: ScriptedModel): Contestant {
  const run = ({ baseUrl, work }: Stage, definitions: readonly Definition[]): Promise<unknown> => {
    const own = { model: 'scripted', apiKey: 'none', maxRetries: 0, configuration: { baseURL: baseUrl } };
    const tools = definitions.map(({ name, description, inputSchema: schema }) =>
      tool((input: unknown) => work(name, input), { name, description, schema }),
    );
    // A turn is two steps of its graph: the model, and the tools.
    return createAgent({ model: new ChatOpenAI(own), tools }).invoke(
      { messages: [{ role: 'user', content: 'Go on.' }] },
      { recursionLimit: 2 * steps },
    );
  };
  return {
    name: 'LangChain',
    how: '`createAgent`, tools with JSON Schema, which it validates itself',
    packages: ['langchain', '@langchain/core', '@langchain/openai'],
    answer: (tools, call) => model.play(call, (stage) => run(stage, tools)),
  };
}
