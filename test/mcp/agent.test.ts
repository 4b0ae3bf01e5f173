import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { agent } from '../../src/run/agent.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { calls, plays, says } from '../run/plays.ts';
import { connect, folder, odd, published } from './servers.ts';

describe('an agent with the tools of MCP servers', () => {
  it('C1 S1.6 gets feedback on an invalid call, runs the corrected call, and has one result for each call', async () => {
    const root = folder();
    const path = join(root, 'a.txt');
    const [files, everything] = [await connect(published('filesystem', root)), await connect(published('everything'))];
    const model = plays(
      [calls('mcp__filesystem__write_file', '{"path": "a.txt"}', 'c1')],
      [
        calls('mcp__filesystem__write_file', `{"path": "${path}", "content": "hello",}`, 'c2'),
        calls('mcp__everything__get_sum', { a: '2', b: 3 }, 'c3'),
      ],
      [says('Done')],
    );
    const run = agent({ model, tools: [...files.tools, ...everything.tools] }).run('Write hello to a.txt');
    const { end } = await run.result;
    expect(end).toBe('done');
    expect(readFileSync(path, 'utf8')).toBe('hello');
    const results = run.messages().flatMap(({ parts }) => parts.filter((part) => part.type === 'result'));
    expect(results.map(({ callId, isError }) => [callId, isError === true])).toEqual([
      ['c1', true],
      ['c2', false],
      ['c3', false],
    ]);
    expect(JSON.stringify(results[0])).toContain("Field 'content' is required but missing");
    expect(JSON.stringify(results[2])).toContain('The sum of 2 and 3 is 5.');
  });

  it('F14 refuses a tool that is redefined during the run, and continues the run', async () => {
    const server = await connect(odd());
    const model = plays(
      [calls('mcp__odd__redefine', {}, 'c1')],
      [calls('mcp__odd__weather', { city: 'Ulm' }, 'c2'), calls('mcp__odd__look', {}, 'c3')],
      [says('The weather is not known')],
    );
    const run = agent({ model, tools: server.tools }).run('How is the weather?');
    expect((await run.result).end).toBe('done');
    const told = JSON.stringify(model.asked.at(-1)?.messages);
    expect(told).toContain('changed its definition, and the user has not accepted the new one yet');
    expect(told).toContain('seen');
  });

  it('offers the model a definition that is accepted during the run from then on', async () => {
    const server = await connect(odd());
    const toolbox = new Toolbox();
    server.addTo(toolbox);
    const accepting = () => {
      for (const change of server.changes()) server.accept(change.name);
      return [calls('mcp__odd__look', {}, 'c2')];
    };
    const model = plays(
      [calls('mcp__odd__add', {}, 'c1')],
      [calls('mcp__odd__pid', {}, 'c0')],
      accepting,
      [calls('mcp__odd__newcomer', {}, 'c3')],
      [says('ok')],
    );
    const run = agent({ model, tools: toolbox }).run('Look around');
    expect((await run.result).end).toBe('done');
    const offered = model.asked.map(({ tools = [] }) =>
      tools.some((one) => 'name' in one && one.name === 'mcp__odd__newcomer'),
    );
    expect(offered).toEqual([false, false, false, true, true]);
    expect(JSON.stringify(model.asked.at(-1)?.messages)).toContain('new here');
  });

  it('fails one call if a server crashes during the run, and runs the next one', async () => {
    const [server, other] = [await connect(odd()), await connect({ ...odd(), name: 'other' })];
    const model = plays(
      [calls('mcp__odd__die', {}, 'c1'), calls('mcp__other__weather', { city: 'Ulm' }, 'c2')],
      [calls('mcp__odd__weather', { city: 'Bonn' }, 'c3')],
      [says('Sun')],
    );
    const run = agent({ model, tools: [...server.tools, ...other.tools] }).run('How is the weather?');
    expect((await run.result).end).toBe('done');
    const told = JSON.stringify(model.asked.at(-1)?.messages);
    for (const words of ['lost during the call', 'Sun in Ulm', 'Sun in Bonn']) {
      expect(told).toContain(words);
    }
  });

  it('applies rules by name, and requires approval for a destructive one', async () => {
    const server = await connect(odd());
    const toolbox = new Toolbox(server.tools);
    const model = plays([calls('mcp__odd__wipe', {}, 'c1'), calls('mcp__odd__look', {}, 'c2')], [says('ok')]);
    const asked: string[] = [];
    const run = agent({
      model,
      tools: toolbox,
      permissions: permissions({ mode: 'ask', allow: ['mcp__odd__look'] }),
      approve: ({ name }) => {
        asked.push(name);
        return { type: 'deny', reason: 'not today' };
      },
    }).run('Clean up');
    expect((await run.result).end).toBe('done');
    expect(asked).toEqual(['mcp__odd__wipe']);
    expect(JSON.stringify(model.asked.at(-1)?.messages)).toContain('not today');
  });
});
