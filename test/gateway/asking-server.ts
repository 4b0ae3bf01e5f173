/** A server of the 2026 protocol, which asks for more by its answer to a call: once, and twice. */
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const question = (message: string) =>
  inputRequired.elicit({
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  });

serveStdio(() => {
  const server = new McpServer({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
  server.registerTool(
    'ask',
    { description: 'Asks for words', inputSchema: z.object({ times: z.number() }) },
    async ({ times }, { mcpReq }) => {
      const said: string[] = JSON.parse(mcpReq.requestState<string>() ?? '[]');
      const word = acceptedContent<{ word: string }>(mcpReq.inputResponses, 'q')?.word;
      if (word !== undefined) said.push(word);
      if (said.length >= times) return { content: [{ type: 'text', text: said.join(' ') }] };
      return inputRequired({
        inputRequests: { q: question(`Word ${said.length + 1}?`) },
        requestState: JSON.stringify(said),
      });
    },
  );
  return server;
});
