import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mcpServer, mcpServers } from '../../src/execute/mcp/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { lived } from '../lived.ts';
import { until } from '../until.ts';
import { call, connect, isAlive, odd, untilHanging } from './servers.ts';

describe('the lifecycle of a server', () => {
  it('restarts a killed server with the next call', async () => {
    const server = await connect(odd());
    const first = Number((await call(server, 'pid')).text);
    process.kill(first, 'SIGKILL');
    await until(() => !server.connected);
    const second = Number((await call(server, 'pid')).text);
    expect(second).not.toBe(first);
    expect(isAlive(first)).toBe(false);
  });

  it('returns one typed result for each call in progress when it crashes, and runs later calls', async () => {
    const server = await connect(odd());
    const pid = Number((await call(server, 'pid')).text);
    const hanging = [call(server, 'hang'), call(server, 'hang'), call(server, 'hang')];
    await untilHanging(server, 3);
    process.kill(pid, 'SIGKILL');
    for (const { value } of await Promise.all(hanging)) {
      expect(value).toMatchObject({ ok: false, errorType: 'runtime', retryable: true });
    }
    const after = await Promise.all([call(server, 'pid'), call(server, 'pid')]);
    expect(after[0]?.text).toBe(after[1]?.text);
  });

  it('fails the calls of a server that can’t be restarted within a limit, and no calls of others', async () => {
    const settings = { ...odd() };
    const [dead, alive] = [await connect(settings, { attempts: 2 }), await connect(odd())];
    Object.assign(settings, { command: '/nowhere/to/be/found' });
    await call(dead, 'die');
    const calling = call(dead, 'weather', { city: 'Ulm' });
    expect(await lived(() => calling)).toBeLessThan(2000);
    const { value } = await calling;
    expect(value).toMatchObject({ ok: false, errorType: 'runtime', retryable: true });
    expect(value).toMatchObject({ error: expect.stringContaining('could not be reached') });
    expect((await call(alive, 'weather', { city: 'Ulm' })).text).toBe('Sun in Ulm');
  });

  it('reports a server that never starts with its last output', async () => {
    await expect(mcpServer(odd('never-starts'), { attempts: 1 })).rejects.toThrow(/'odd'.*no licence found/s);
    await expect(mcpServer({ name: 'none', command: '/nowhere' }, { attempts: 1 })).rejects.toThrow(/ENOENT/);
  });

  it.each(['dies-when-probed', 'silent-when-probed'])(
    'uses the older protocol with an older server that %s',
    async (wrong) => {
      const server = await connect(odd(wrong));
      expect((await call(server, 'weather', { city: 'Ulm' })).text).toBe('Sun in Ulm');
    },
  );

  it('stops the server and its child processes when it is closed', async () => {
    const server = await connect(odd());
    const pids = [Number((await call(server, 'pid')).text), Number((await call(server, 'helper')).text)];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await server.close();
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect((await call(server, 'pid')).value).toMatchObject({ ok: false, error: expect.stringContaining('closed') });
  });

  it('stops a server that ignores signals within a limit', async () => {
    const server = await connect(odd('clings'), { grace: 200 });
    const pid = Number((await call(server, 'pid')).text);
    expect(await lived(() => server.close())).toBeLessThan(1500);
    expect(isAlive(pid)).toBe(false);
  });

  it('stops the server if the program exits without closing it', async () => {
    const entry = pathToFileURL(join(import.meta.dirname, '../../src/execute/mcp/index.ts'));
    const script = `
      import { mcpServer } from '${entry}';
      const { tools } = await mcpServer(${JSON.stringify(odd('clings'))});
      const run = (name) => tools.find((tool) => tool.name.endsWith(name)).executor.execute({}, { progress() {}, signal: new AbortController().signal });
      const pids = [await run('pid'), await run('helper')].map(({ content }) => content[0].text);
      process.stdout.write(JSON.stringify(pids), () => process.exit(0));
    `;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const pids = (JSON.parse(stdout) as string[]).map(Number);
    expect(pids).toHaveLength(2);
    await until(() => !pids.some(isAlive));
  });

  it('stops the child processes of a crashed server', async () => {
    const server = await connect(odd());
    const helper = Number((await call(server, 'helper')).text);
    await call(server, 'die');
    await until(() => !isAlive(helper));
  });

  it('reports a server that can’t be reached, and connects to the others', async () => {
    const { name: _, ...settings } = odd();
    const all = await mcpServers(
      {
        odd: settings,
        none: { command: '/nowhere' },
        bad: { url: 'no address' },
        few: { ...settings, options: { include: ['look'] } },
      },
      { attempts: 1 },
    );
    onTestFinished(() => all.close());
    expect(all.failed.map(({ name }) => name)).toEqual(['none', 'bad']);
    expect(all.servers.map(({ name }) => name)).toEqual(['odd', 'few']);
    expect(all.tools.map(({ name }) => name)).toContain('mcp__few__look');
    const toolbox = new Toolbox();
    all.addTo(toolbox);
    expect(toolbox.size).toBe(all.tools.length);
  });
});
