import { describe, expect, it } from 'vitest';
import { isToolOutput } from '../tool-result.ts';
import { fromMcpResult } from './from-mcp-result.ts';

const data = Buffer.from('hello').toString('base64');
const resource = (of: object) => ({ type: 'resource', resource: { uri: 'x://1', ...of } });

describe('what a server answers', () => {
  it.each([
    ['words', { type: 'text', text: 'hi' }, { type: 'text', text: 'hi' }],
    [
      'a picture',
      { type: 'image', mimeType: 'image/png', data },
      { type: 'media', mediaType: 'image/png', source: { data } },
    ],
    [
      'a sound',
      { type: 'audio', mimeType: 'audio/wav', data },
      { type: 'media', mediaType: 'audio/wav', source: { data } },
    ],
    [
      'a link',
      { type: 'resource_link', name: 'n', uri: 'x://1', description: 'about it' },
      { type: 'text', text: 'Resource n <x://1> about it' },
    ],
    ['a text', resource({ text: 'hi' }), { type: 'text', text: 'Resource <x://1>:\nhi' }],
    [
      'a text in bytes',
      resource({ mimeType: 'text/plain', blob: data }),
      { type: 'text', text: 'Resource <x://1> (text/plain):\nhello' },
    ],
    [
      'a document',
      resource({ mimeType: 'application/pdf', blob: data }),
      { type: 'media', mediaType: 'application/pdf', source: { data }, name: 'x://1' },
    ],
    [
      'what can’t be shown',
      resource({ mimeType: 'application/zip', blob: data }),
      { type: 'text', text: "Resource <x://1> (application/zip): 5 bytes that can't be shown" },
    ],
    ['what is not known', { type: 'hologram', beam: 1 }, { type: 'text', text: '{"type":"hologram","beam":1}' }],
  ])('of %s is a part', (_, block, part) => {
    const output = fromMcpResult({ content: [block] } as never);
    expect(isToolOutput(output)).toBe(true);
    expect(output.content).toEqual([part]);
    expect(output.mcp.content).toEqual([block]);
  });

  it('a value without words is shown as JSON', () => {
    const output = fromMcpResult({ content: [], structuredContent: { n: 1 } });
    expect(output).toMatchObject({ content: [{ type: 'text', text: '{"n":1}' }], structured: { n: 1 } });
  });

  it('nothing at all is still something done, and an error stays one', () => {
    expect(fromMcpResult({ content: [] }).content).toEqual([{ type: 'text', text: 'Done.' }]);
    expect(fromMcpResult({ content: [], isError: true }).isError).toBe(true);
  });
});
