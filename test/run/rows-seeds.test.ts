/** Rows of the notes this project was drawn from, through the whole loop. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fsMultiEditTool } from '../../examples/fs-multi-edit.ts';
import { statefulTool } from '../../src/execute/stateful-tool.ts';
import type { RunError } from '../../src/log/subscribe.ts';
import { retryGuidance } from '../../src/mend/feedback/feedback.ts';
import type { ScriptedTurn } from '../../src/provider/scripted/script.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { clientFor, clients, closeServers, serving } from '../provider/clients.ts';
import { calls, plays, says } from './plays.ts';
import { endsOf, recording, told, wordsOf } from './recorded.ts';

afterEach(closeServers);

const n = z.object({ n: z.number() });

describe('S1.6 the invalid call, the feedback, the corrected call, success, for fs_multi_edit', () => {
  const wrong = { edits: [{ find: '"debug": true', replace: '"debug": false' }, { path: 'config.json' }] };
  const absent = { edits: [{ path: 'config.json', find: '"verbose"', replace: '"quiet"' }] };
  const right = { edits: [{ path: 'config.json', find: '"debug": true', replace: '"debug": false' }] };
  const turns: (ScriptedTurn | string)[] = [
    ...[wrong, absent, right].map((given) => ({ calls: [{ name: 'fs_multi_edit', arguments: given }] })),
    'Debugging is off now.',
  ];
  const folder = (): string => {
    const root = mkdtempSync(join(tmpdir(), 'toolmend-edit-'));
    writeFileSync(join(root, 'config.json'), '{"debug": true}\n');
    return root;
  };

  it.each(['scripted', ...Object.keys(clients)])('by a model with the API format %s', async (wire) => {
    const root = folder();
    const model = wire === 'scripted' ? scripted(turns) : clientFor(wire, await serving(turns));
    const run = agent({ model, tools: [fsMultiEditTool({ root })] }).run();
    const errors: RunError[] = [];
    run.on('error', (error) => errors.push(error));
    expect(await run.send('Turn debugging off.').result).toMatchObject({ end: 'done', text: 'Debugging is off now.' });
    expect(endsOf(run)).toEqual(['validation', 'logical', 'completed']);
    expect(readFileSync(join(root, 'config.json'), 'utf8')).toBe('{"debug": false}\n');

    const [first = '', second = '', third = ''] = wordsOf(run);
    expect(first).toContain("Field 'edits.0.path' is required but missing");
    expect(first).toContain("Field 'edits.1.find' is required but missing");
    expect(second).toMatch(/nothing was written[\s\S]*- Read config.json first/);
    expect(JSON.parse(third)).toEqual({ ok: true, files: ['config.json'], replaced: 1 });
    // S1.5: made from the problem where the tool says nothing, the tool's own where it does.
    expect(errors.map(({ phase, detail }) => [phase, detail.errorType, detail.recommendations])).toEqual([
      ['tool', 'validation', expect.arrayContaining([expect.stringMatching(/path is required/)])],
      ['tool', 'logical', [expect.stringContaining('Read config.json first')]],
    ]);
  });
});

describe('results', () => {
  it('S1.3 state for validation, runtime and logical errors whether the same call may succeed later', async () => {
    const fails = recording({
      name: 'fails',
      inputSchema: n,
      execute: (input) => {
        if ((input as { n: number }).n === 1) throw new Error('the disk is gone');
        return { ok: false, error: 'no such item', recommendations: ['List the items'] };
      },
    });
    const turn = ['{}', '{"n": 1}', '{"n": 2}'].map((given) => ({ name: 'fails', arguments: given }));
    const model = scripted([{ calls: turn }, 'Done.']);
    const run = agent({ model, tools: [fails], results: { form: 'structured' } }).run('x');
    await run.result;
    expect(wordsOf(run).map((text) => JSON.parse(text))).toMatchObject([
      { ok: false, errorType: 'validation', retryable: false },
      { ok: false, errorType: 'runtime', retryable: true, error: 'the disk is gone' },
      { ok: false, errorType: 'logical', retryable: true, recommendations: ['List the items'] },
    ]);
    expect(told(run.messages()).every(({ isError }) => isError)).toBe(true);
  });

  it('S0.1 never come from unchecked arguments, whoever changed them', async () => {
    const seen: unknown[] = [];
    const add = recording({ name: 'add', inputSchema: n });
    const hooks = { before: ({ input }: { input: unknown }) => void seen.push(input) };
    const model = scripted([{ calls: [{ name: 'add', arguments: "{n: '5',}" }, { name: 'add' }] }, 'Done.']);
    await agent({ model, tools: [add], hooks }).run('x').result;
    expect(seen).toEqual([{ n: 5 }]);
    expect(add.received).toEqual([{ n: 5 }]);
  });

  it('S1.4 have a note about dropped keys', async () => {
    const add = recording({ name: 'add', inputSchema: n, execute: () => 'added' });
    const model = scripted([{ calls: [{ name: 'add', arguments: '{"n": 1, "reasoning": "because"}' }] }, 'Done.']);
    const run = agent({ model, tools: [add] }).run('x');
    await run.result;
    expect(told(run.messages())[0]?.content).toMatchObject([
      { text: 'added' },
      { text: expect.stringMatching(/Note: .*reasoning/) },
    ]);
  });

  it('S2.5 of a failed call keep values in the types of the schema where they fit', async () => {
    const inputSchema = z.object({
      path: z.string(),
      limit: z.number(),
      deep: z.boolean(),
      at: z.object({ n: z.number() }),
    });
    const given = '{"limit": "5", "deep": "yes", "at": {"n": "x"}}';
    const model = scripted([{ calls: [{ name: 'read', arguments: given }] }, 'Done.']);
    const run = agent({ model, tools: [recording({ name: 'read', inputSchema })] }).run('x');
    await run.result;
    expect(run.calls()[0]?.input).toEqual({ limit: 5, deep: true, at: { n: 'x' } });
    expect(run.calls()[0]?.call.arguments).toBe(given);
  });

  it('S1.3 have the type that marks of other frameworks report', async () => {
    const results = [
      { _validationError: true },
      { _thrownError: true },
      {},
      { errorType: 'runtime', _validationError: true },
    ];
    const fail = tool({
      name: 'fail',
      description: 'F',
      execute: () => ({ ok: false, error: 'no', ...results.shift() }),
    });
    const model = scripted([...results.map(() => ({ calls: [{ name: 'fail' }] })), 'Done.']);
    const run = agent({ model, tools: [fail] }).run('x');
    await run.result;
    expect(run.calls().map(({ errorType }) => errorType)).toEqual(['validation', 'runtime', 'logical', 'runtime']);
  });

  it('S2.5 of a failed call keep the received arguments, and can be shown and stored', async () => {
    const given = ['{"n": "x", "m": [1]}', { n: null }, 'no json', '{"n": 1'];
    const model = scripted([{ calls: given.map((one) => ({ name: 'add', arguments: one })) }, 'Done.']);
    const run = agent({ model, tools: [recording({ name: 'add', inputSchema: n })] }).run('x');
    await run.result;
    expect(run.calls().map(({ call }) => call.arguments)).toEqual(given);
    expect(run.calls()[0]?.input).toEqual({ n: 'x', m: [1] });
    for (const record of run.calls()) {
      expect(JSON.parse(JSON.stringify(record))).toMatchObject({ state: 'failed', error: expect.any(String) });
      expect(record.problems.length).toBeGreaterThan(0);
    }
  });
});

describe('parts of a tool', () => {
  it('S3.4 check the settings of its kind when the agent is created', () => {
    const broken = statefulTool({ name: 'broken', description: 'B', create: undefined as never, execute: () => 1 });
    expect(() => agent({ model: scripted([]), tools: [broken] })).toThrow(/create/);
  });

  it('S3.8 share nothing if it is stateless, and one instance for each run if it is stateful', async () => {
    const count = statefulTool({
      name: 'count',
      description: 'Counts',
      create: () => ({ sum: 0 }),
      execute: (state) => {
        state.sum += 1;
        return state.sum;
      },
    });
    const once = tool({ name: 'once', description: 'Once', execute: (_, { scope }) => scope.use({}, () => 'own') });
    const turn = { calls: [{ name: 'count' }, { name: 'count' }, { name: 'once' }] };
    const helper = agent({ model: scripted([turn, 'One.', turn, 'Two.']), tools: [count, once] });
    const first = helper.run('x');
    await first.result;
    const second = helper.run('x');
    await second.result;
    expect([wordsOf(first), wordsOf(second)]).toEqual([
      ['1', '2', 'own'],
      ['1', '2', 'own'],
    ]);
  });
});

describe('the invalid tool and the retry guidance', () => {
  it('S4.2 receives failed checks and unknown tools; the call keeps its name, id and arguments, and still counts', async () => {
    const invalid = recording({ name: 'invalid', execute: (input) => `Told: ${(input as { tool: string }).tool}` });
    const model = plays([calls('add', '{"m": 1}', 'a'), calls('nope', { x: 1 }, 'b')]);
    const run = agent({ model, tools: [invalid, recording({ name: 'add', inputSchema: n })] }).run('x');
    expect((await run.result).end).toBe('invalid_calls');
    expect(wordsOf(run).slice(0, 2)).toEqual(['Told: add', 'Told: nope']);
    expect(told(run.messages()).every(({ isError }) => isError)).toBe(true);
    expect(invalid.received.slice(0, 2)).toEqual([
      { tool: 'add', error: expect.stringContaining("'n' is required"), receivedArgs: { m: 1 } },
      { tool: 'nope', error: expect.any(String), receivedArgs: { x: 1 } },
    ]);
    const shown = model.asked[1]?.messages.find(({ role }) => role === 'assistant')?.parts;
    expect(shown).toMatchObject([
      { id: 'a', name: 'add', arguments: '{"m": 1}' },
      { id: 'b', name: 'nope', arguments: { x: 1 } },
    ]);
  });

  it('S4.2 is replaced by the default feedback if it fails or never ends', async () => {
    for (const run of [() => Promise.reject(new Error('no')), () => new Promise(() => {})]) {
      const invalid = tool({ name: 'invalid', description: 'Fails', execute: run });
      const model = scripted([{ calls: [{ name: 'add' }] }, 'Done.']);
      const one = agent({ model, tools: [invalid, recording({ name: 'add', inputSchema: n })], timeout: 30 }).run('x');
      await one.result;
      expect(wordsOf(one)[0]).toContain("Field 'n' is required but missing");
    }
  });

  it('S4.2 S4.5 is not offered to the model, and the guidance explains its output', async () => {
    const model = plays([says('Done.')]);
    const invalid = tool({ name: 'invalid', description: 'I', execute: (payload: unknown) => JSON.stringify(payload) });
    await agent({ model, tools: [recording({ name: 'add' }), invalid] }).run('x').result;
    expect(model.asked[0]?.tools?.map((one) => 'name' in one && one.name)).toEqual(['add']);
    expect(JSON.stringify(model.asked[0]?.messages[0])).toContain('receivedArgs');
  });

  it('S4.5 is in the system prompt after the instructions, and can be turned off', async () => {
    const tools = [recording({ name: 'add', inputSchema: n })];
    const systemOf = async (options: object): Promise<string> => {
      const model = plays([says('Hi.')]);
      await agent({ model, instructions: 'Be kind.', ...options }).run('x').result;
      return model.asked[0]?.messages[0]?.parts.map((part) => ('text' in part ? part.text : '')).join('') ?? '';
    };
    expect(await systemOf({ tools })).toBe(`Be kind.\n\n${retryGuidance()}`);
    expect(await systemOf({ tools, guidance: false })).toBe('Be kind.');
    expect(await systemOf({})).toBe('Be kind.');
  });

  it('S4.6 records a name made of symbols but removes it from the message, and tells the model the names', async () => {
    const add = recording({ name: 'add', inputSchema: n });
    const model = scripted((_, turn) => (turn === 0 ? { calls: [{ name: '⚙', arguments: '{}' }] } : 'Sorry.'));
    const run = agent({ model, tools: [add] }).run('x');
    const seen: string[] = [];
    for await (const { type } of run) seen.push(type);
    expect(seen).toContain('call.ignored');
    expect(JSON.stringify(run.messages())).not.toContain('⚙');
    expect(JSON.stringify(run.messages())).toContain('The tools are: add');
  });
});
