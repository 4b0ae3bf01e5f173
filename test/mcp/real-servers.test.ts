import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isToolOutput } from '../../src/execute/tool-result.ts';
import { call, connect, folder, published } from './servers.ts';

describe('server-everything over standard input and output', () => {
  it('S3.8 returns text, images, links, resources and values with their types', async () => {
    const server = await connect(published('everything'));
    expect(server.tools.length).toBeGreaterThan(10);
    expect(server.refused).toEqual([]);
    expect(server.tools.every(({ executor }) => executor?.kind === 'mcp')).toBe(true);
    expect(server.instructions).toContain('Everything');

    expect((await call(server, 'echo', '{"message": "hi",}')).text).toBe('Echo: hi');
    const image = await call(server, 'get-tiny-image');
    expect(image.result?.content).toContainEqual(
      expect.objectContaining({ type: 'media', mediaType: 'image/png', source: { data: expect.any(String) } }),
    );
    const links = await call(server, 'get-resource-links', { count: 2 });
    expect(links.text).toContain('<demo://resource/dynamic/text/2> (text/plain)');
    const resource = await call(server, 'get-resource-reference', { resourceType: 'Text', resourceId: 1 });
    expect(resource.text).toContain('Resource <demo://resource/dynamic/text/1> (text/plain):\n');
    const packed = { name: 'a.gz', data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resource' };
    expect((await call(server, 'gzip-file-as-resource', packed)).text).toMatch(/application\/gzip\): \d+ bytes/);

    const { value } = await call(server, 'get-structured-content', { location: 'New York' });
    const data = value?.ok ? value.data : undefined;
    expect(isToolOutput(data) && data.structured).toMatchObject({ temperature: expect.any(Number) });
  });

  it('forwards progress', async () => {
    const server = await connect(published('everything'));
    const seen: unknown[] = [];
    const work = { duration: 0.2, steps: 2 };
    const live = (event: { progress: unknown }) => seen.push(event.progress);
    const { text } = await call(server, 'trigger-long-running-operation', work, { live });
    expect(text).toContain('completed');
    expect(seen).toEqual([
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ]);
  });

  it('gets a few environment variables and the configured ones, and no others', async () => {
    process.env.TOOLMEND_CANARY = 'canary';
    const server = await connect({ ...published('everything'), env: { GIVEN: 'given' } });
    const env = JSON.parse((await call(server, 'get-env')).text);
    delete process.env.TOOLMEND_CANARY;
    expect(env).toMatchObject({ GIVEN: 'given', PATH: process.env.PATH });
    expect(env).not.toHaveProperty('TOOLMEND_CANARY');
  });
});

describe('server-filesystem', () => {
  it('runs a damaged call after mending, and returns a bad path as the tool’s own error', async () => {
    const root = folder();
    const server = await connect(published('filesystem', root), { include: ['*_file', 'read_*'], exclude: ['edit_*'] });
    const names = server.tools.map(({ name }) => name);
    expect(names).toContain('mcp__filesystem__write_file');
    expect(names).not.toContain('mcp__filesystem__edit_file');
    expect(names).not.toContain('mcp__filesystem__list_directory');

    const path = join(root, 'a.txt');
    const damaged = `\`\`\`json\n{path: '${path}', "content": "one\\ntwo",}\n\`\`\``;
    const written = await call(server, 'write_file', damaged);
    expect(written.outcome.status).toBe('mended');
    expect(written.state).toBe('completed');
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo');

    const outside = await call(server, 'read_text_file', { path: '/etc/passwd' });
    expect(outside.value).toMatchObject({ ok: false, errorType: 'logical' });
    expect(outside.text).toMatch(/access denied/i);
  });

  it('C2 never receives a truncated write', async () => {
    const root = folder();
    const server = await connect(published('filesystem', root));
    const path = join(root, 'cut.txt');
    const cut = await call(server, 'write_file', `{"path": "${path}", "content": "half of`);
    expect(cut.value).toMatchObject({ ok: false, errorType: 'truncated' });
    expect(existsSync(path)).toBe(false);
  });

  it('C10 receives arrays that arrived as text as arrays', async () => {
    const root = folder();
    writeFileSync(join(root, 'a.txt'), 'first');
    writeFileSync(join(root, 'b.txt'), 'second');
    const server = await connect(published('filesystem', root));
    const paths = JSON.stringify([join(root, 'a.txt'), join(root, 'b.txt')]);
    const { text, outcome } = await call(server, 'read_multiple_files', { paths });
    expect(outcome.status).toBe('mended');
    expect(text).toContain('first');
    expect(text).toContain('second');
  });

  it('weakens an effect by hints only if it is trusted', async () => {
    const effect = async (trusted: boolean) => {
      const server = await connect(published('filesystem', folder()), { trusted });
      return Object.fromEntries(server.tools.map((tool) => [tool.name.slice('mcp__filesystem__'.length), tool.effect]));
    };
    expect(await effect(true)).toMatchObject({ read_text_file: 'read', write_file: 'destructive' });
    expect(await effect(false)).toMatchObject({ read_text_file: 'write', write_file: 'destructive' });
  });
});

describe('server-memory', () => {
  it('keeps its memory between calls, with nested lists as text', async () => {
    const settings = { ...published('memory'), env: { MEMORY_FILE_PATH: join(folder(), 'memory.jsonl') } };
    const server = await connect(settings);
    const entities = JSON.stringify([{ name: 'Ada', entityType: 'person', observations: ['counts'] }]);
    const { outcome, state } = await call(server, 'create_entities', { entities });
    expect([outcome.status, state]).toEqual(['mended', 'completed']);
    expect((await call(server, 'search_nodes', { query: 'Ada' })).text).toContain('counts');
  });

  it('C14 S4.1 never receives a call that doesn’t match its schema', async () => {
    const settings = { ...published('memory'), env: { MEMORY_FILE_PATH: join(folder(), 'memory.jsonl') } };
    const server = await connect(settings);
    const { value, text } = await call(server, 'create_entities', { entities: [{ name: 'Ada' }] });
    expect(value).toMatchObject({ ok: false, errorType: 'validation' });
    expect(text).toContain("Field 'entities.0.entityType' is required but missing");
    expect((await call(server, 'read_graph')).text).not.toContain('Ada');
  });
});
