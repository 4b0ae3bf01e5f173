/** A server of the 2026 protocol over its input and output; `grow` gives it another tool. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(
  ({ era }) => {
    const server = new McpServer({ name: 'new', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
    server.registerTool('era', { description: 'Says which protocol is spoken' }, async () => said(era));
    server.registerTool(
      'add',
      { description: 'Adds', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      async ({ a, b }) => said(String(a + b)),
    );
    server.registerTool('grow', { description: 'Grows' }, async () => {
      server.registerTool('grown', { description: 'Has grown' }, async () => said('grown'));
      return said('ok');
    });
    return server;
  },
  { legacy: 'reject' },
);
