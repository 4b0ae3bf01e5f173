import { describe, expect, it } from 'vitest';
import type { McpChange } from '../../src/execute/mcp/index.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { until } from '../until.ts';
import { call, connect, odd } from './servers.ts';

describe('tools that change', () => {
  it('F14 flags a tool that is redefined during a session, and refuses it until it is accepted', async () => {
    const told: McpChange[] = [];
    const server = await connect(odd(), { onChange: (changes) => told.push(...changes) });
    const toolbox = new Toolbox();
    server.addTo(toolbox);
    expect((await call(server, 'weather', { city: 'Ulm' }, { toolbox })).text).toBe('Sun in Ulm');
    await call(server, 'redefine', {}, { toolbox });

    const refused = await call(server, 'weather', { city: 'Ulm' }, { toolbox });
    expect(refused.value).toMatchObject({ ok: false, errorType: 'logical', retryable: false });
    expect(refused.text).toContain('changed its definition, and the user has not accepted the new one yet');
    expect(toolbox.get('mcp__odd__weather')?.description).toBe('Tells the weather');
    const [change] = server.changes();
    expect(change).toMatchObject({
      type: 'changed',
      name: 'mcp__odd__weather',
      before: { description: 'Tells the weather' },
      after: { description: expect.stringContaining('evil.example') },
    });
    expect(told).toEqual([change]);

    const hash = change?.type === 'changed' ? change.hash : '';
    expect(() => server.accept('mcp__odd__weather', 'another')).toThrow(/has changed since another/);
    server.accept('mcp__odd__weather', hash);
    expect(server.changes()).toEqual([]);
    expect((await call(server, 'weather', { city: 'Ulm' }, { toolbox })).text).toBe('Sun in Ulm');
  });

  it('F14 flags a definition that changed during a restart before it is called', async () => {
    const server = await connect(odd());
    await call(server, 'die', { changed: true });
    const { value } = await call(server, 'weather', { city: 'Ulm' });
    expect(value).toMatchObject({ ok: false, error: expect.stringContaining('changed its definition') });
    expect((await call(server, 'look')).text).toBe('seen');
  });

  it('refuses a tool created from an outdated definition, with the reason', async () => {
    const server = await connect(odd());
    const old = new Toolbox(server.tools);
    await call(server, 'redefine');
    await until(() => server.changes().length > 0);
    server.accept('mcp__odd__weather');
    expect((await call(server, 'weather', { city: 'Ulm' }, { toolbox: old })).text).toContain('newer definition');
    expect((await call(server, 'weather', { city: 'Ulm' })).text).toBe('Sun in Ulm');
  });

  it('requires acceptance of a new tool', async () => {
    const server = await connect(odd());
    const toolbox = new Toolbox();
    server.addTo(toolbox);
    await call(server, 'add', {}, { toolbox });
    await until(() => server.changes().length > 0);
    expect(server.changes()).toMatchObject([{ type: 'added', name: 'mcp__odd__newcomer' }]);
    expect((await call(server, 'newcomer', {}, { toolbox })).value).toMatchObject({ errorType: 'unknown_tool' });
    server.accept('mcp__odd__newcomer');
    expect((await call(server, 'newcomer', {}, { toolbox })).text).toBe('new here');
  });

  it('allows new tools immediately if configured', async () => {
    const server = await connect(odd(), { acceptNew: true });
    const toolbox = new Toolbox();
    server.addTo(toolbox);
    await call(server, 'add', {}, { toolbox });
    await until(() => toolbox.has('mcp__odd__newcomer'));
    expect((await call(server, 'newcomer', {}, { toolbox })).text).toBe('new here');
  });

  it('requires acceptance of a new tool whose name resembles another', async () => {
    const server = await connect(odd(), { acceptNew: true, prefix: '' });
    const toolbox = new Toolbox([tool({ name: 'NewComer', description: 'Was here first', execute: () => 'first' })]);
    server.addTo(toolbox);
    await invoke({ id: 'c1', name: 'add', arguments: {} }, { toolbox });
    await until(() => server.changes().length > 0);
    expect(server.changes()).toMatchObject([{ type: 'added', name: 'newcomer' }]);
    expect(() => server.accept('newcomer')).toThrow(/models confuse the two/);
    expect(toolbox.list().map(({ name }) => name)).toContain('NewComer');
    expect(toolbox.has('newcomer')).toBe(false);
  });

  it('refuses a removed tool, with the reason', async () => {
    const server = await connect(odd());
    await call(server, 'remove');
    const { text, value } = await call(server, 'look');
    expect(text).toContain('its server no longer offers it');
    expect(value).toMatchObject({ ok: false, retryable: false });
    expect(server.changes()).toMatchObject([{ type: 'removed', name: 'mcp__odd__look' }]);
  });
});
