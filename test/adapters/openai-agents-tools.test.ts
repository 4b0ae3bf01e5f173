import { Agent, RunContext, Runner, tool } from '@openai/agents';
import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fromAgentTools, toAgentTools } from '../../src/adapter/openai-agents/index.ts';
import { permissions } from '../../src/execute/permission-rules.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import { tool as ownTool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const runner = new Runner({ tracingDisabled: true });
const noted: unknown[] = [];
afterEach(() => void noted.splice(0));

const toolbox = new Toolbox([
  ownTool({
    name: 'write_file',
    description: 'Writes a file',
    inputSchema: z.object({ path: z.string(), lines: z.array(z.number()).default([]) }),
    execute: (input) => {
      noted.push(input);
      return { wrote: input.path };
    },
  }),
]);
const writing = (args: string) =>
  new ScriptedModel([
    modelResponse([functionCall('write_file', args, { callId: 'c1' })]),
    modelResponse([assistantMessage('Done.')]),
  ]);

describe('tools of OpenAI Agents', () => {
  it('of a toolbox run in an agent, mended and checked, with one result', async () => {
    const model = writing('{"path": "a.ts", "lines": "[1]"}');
    const { finalOutput, newItems } = await runner.run(
      new Agent({ name: 'Files', model, tools: toAgentTools(toolbox) }),
      'Go.',
    );
    expect(finalOutput).toBe('Done.');
    expect(noted).toEqual([{ path: 'a.ts', lines: [1] }]);
    const outputs = newItems.flatMap((item) => (item.type === 'tool_call_output_item' ? [item.output] : []));
    expect(outputs).toEqual(['{"wrote":"a.ts"}']);
  });

  it('of a toolbox report faults, without a wrapped model too', async () => {
    const model = writing('{"lines": []}');
    await runner.run(new Agent({ name: 'Files', model, tools: toAgentTools(toolbox) }), 'Go.');
    expect(JSON.stringify(model.lastCall?.request.input)).toContain("Field 'path' is required but missing");
    expect(noted).toEqual([]);
  });

  it("of a toolbox wait for the SDK's approval if the permissions require it", async () => {
    const model = writing('{"path": "a.ts"}');
    const tools = toAgentTools(toolbox, { permissions: permissions({ mode: 'ask' }) });
    const agent = new Agent({ name: 'Files', model, tools });
    const asked = await runner.run(agent, 'Go.');
    expect(asked.interruptions).toHaveLength(1);
    expect(noted).toEqual([]);
    for (const one of asked.interruptions) asked.state.approve(one);
    const { finalOutput } = await runner.run(agent, asked.state);
    expect(finalOutput).toBe('Done.');
    expect(noted).toEqual([{ path: 'a.ts', lines: [] }]);
  });

  it('of a toolbox that are redefined or forbidden after the SDK decided: not approved', async () => {
    for (const change of ['definition', 'rules']) {
      const ran: unknown[] = [];
      const own = (description: string) =>
        ownTool({
          name: 'write',
          description,
          inputSchema: z.object({ path: z.string() }),
          execute: (input) => ran.push(input),
        });
      const box = new Toolbox([own('Writes')]);
      let rules = permissions({ mode: change === 'rules' ? 'auto' : 'ask' });
      const [write] = toAgentTools(box, { permissions: { decide: (call) => rules.decide(call) } });
      expect(await write?.needsApproval(new RunContext(), { path: 'a' }, 'c1')).toBe(change === 'definition');
      if (change === 'definition') box.remove('write');
      if (change === 'definition') box.add(own('Writes, and tells everybody'));
      rules = permissions({ mode: 'ask' });
      const details = { toolCall: { callId: 'c1' } } as never;
      expect(await write?.invoke(new RunContext(), '{"path": "a"}', details)).toContain('is waiting for approval');
      expect(ran).toEqual([]);
    }
  });

  it('of the SDK become a toolbox, without the additions of strict mode', async () => {
    const search = tool({
      name: 'search',
      description: 'Searches',
      parameters: z.object({ words: z.string(), most: z.number().nullable() }),
      execute: (input) => {
        noted.push(input);
        return 'found';
      },
    });
    const failing = tool({
      name: 'fails',
      description: 'Fails',
      parameters: z.object({}),
      execute: () => {
        throw new Error('secret');
      },
    });
    const agent = new Agent({ name: 'Files', tools: [search, failing] });
    const own = fromAgentTools(agent.tools, new RunContext());
    const { value } = await invoke({ id: 'c1', name: 'Search', arguments: "{words: 'a',}" }, { toolbox: own });
    expect(value).toEqual({ ok: true, data: 'found' });
    expect(noted).toEqual([{ words: 'a', most: null }]);
    const failed = await invoke({ id: 'c2', name: 'fails', arguments: '' }, { toolbox: own });
    expect(failed.value).toMatchObject({ ok: false, errorType: 'runtime' });
  });
});
