import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleOf } from '../sample.ts';
import { closeAll, folder } from './around.ts';
import { program, startCommand, startSuiteServer } from './program.ts';

const home = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/inspector');
const { bin, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));

/** What the MCP inspector's command line shows of a server, and the code it ends with. */
async function inspect(url: string, method: string, ...args: string[]) {
  const { shown, exit } = program(join(home, bin['mcp-inspector']), '--cli', url, '--method', method, ...args);
  const code = await exit;
  return { code, ...JSON.parse(shown()) };
}

describe(`the MCP inspector's command line, version ${version}`, () => {
  let bare: string;
  let gateway: string;
  beforeAll(async () => {
    bare = await startSuiteServer();
    const config = join(folder(), 'gateway.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { suite: { url: bare } } }));
    gateway = await startCommand(config);
  }, 120_000);
  afterAll(closeAll);

  it('has the expected major version', () => {
    expect(version).toMatch(/^2\./);
  });

  it.each(sampleOf(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'], 2))(
    'shows the same for %s through the gateway as from the server',
    async (method) => {
      const [there, here] = [await inspect(bare, method), await inspect(gateway, method)];
      expect(there.code).toBe(0);
      expect(here).toEqual(there);
      const [list] = Object.values(here).filter(Array.isArray);
      expect(list?.length).toBeGreaterThan(0);
    },
    60_000,
  );

  it('C10 sends a list as text, which reaches the server as a list', async () => {
    // Deep enough for the inspector, which reads lists itself where they stand right in the arguments.
    const asText = JSON.stringify({ address: { lines: '["a","b"]' } });
    const written = ['--tool-name', 'json_schema_2020_12_tool', '--tool-args-json', asText];
    const { content: before } = await inspect(bare, 'tools/call', ...written);
    expect(before[0].text).toBe(asText);
    const { code, content } = await inspect(gateway, 'tools/call', ...written);
    expect({ code, text: content[0].text }).toEqual({ code: 0, text: '{"address":{"lines":["a","b"]}}' });
  }, 60_000);

  it("shows the problems of a call that can't be mended", async () => {
    const written = ['--tool-name', 'json_schema_2020_12_tool', '--tool-arg', 'address=nowhere'];
    const { code, isError, content } = await inspect(gateway, 'tools/call', ...written);
    expect({ failed: code !== 0, isError }).toEqual({ failed: true, isError: true });
    expect(content[0].text).toContain("1. Field 'address' expected object, got string");
  }, 60_000);

  it('reads resources and prompts', async () => {
    const { contents } = await inspect(gateway, 'resources/read', '--uri', 'test://template/7/data');
    expect(contents[0].text).toBe('{"id":"7","templateTest":true}');
    const named = ['--prompt-name', 'test_prompt_with_arguments', '--prompt-args', 'arg1=x', 'arg2=y'];
    const { messages } = await inspect(gateway, 'prompts/get', ...named);
    expect(messages[0].content.text).toBe("Prompt with arguments: arg1='x', arg2='y'");
  }, 60_000);
});
