import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { MediaPart, TextPart } from '../../model/index.ts';
import { type ToolOutput, toolOutput } from '../tool-result.ts';

/** A result as the MCP server sent it. Declared here because the MCP SDK is bundled, and its types are not. */
export interface McpResult {
  readonly content: readonly { readonly type: string; readonly [key: string]: unknown }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly [key: string]: unknown;
}

/** Output of an MCP tool: parts for the model, and the original result. */
export interface McpOutput extends ToolOutput {
  readonly mcp: McpResult;
}

/** Converts a server's result. Text, images and audio keep their type; other content becomes text. */
export function fromMcpResult(result: CallToolResult): McpOutput {
  const { content = [], structuredContent, isError } = result;
  const parts = content.map(partOf);
  // If a server only returns a value, the model gets that value.
  const told = parts.length > 0 || structuredContent === undefined ? parts : [text(JSON.stringify(structuredContent))];
  return toolOutput<McpOutput>({
    content: told.length > 0 ? told : [text('Done.')],
    ...(structuredContent !== undefined && { structured: structuredContent }),
    ...(isError === true && { isError }),
    mcp: result as McpResult,
  });
}

function partOf(block: ContentBlock): TextPart | MediaPart {
  switch (block.type) {
    case 'text':
      return text(block.text);
    case 'image':
    case 'audio':
      return media(block.mimeType, block.data);
    case 'resource_link':
      return text(
        ['Resource', block.title ?? block.name, about(block.uri, block.mimeType), block.description]
          .filter(Boolean)
          .join(' '),
      );
    case 'resource':
      return resourcePart(block.resource);
    default:
      return text(JSON.stringify(block));
  }
}

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource'];

function resourcePart(resource: Resource): TextPart | MediaPart {
  const { uri, mimeType = 'application/octet-stream' } = resource;
  if ('text' in resource) return text(`Resource ${about(uri, resource.mimeType)}:\n${resource.text}`);
  if (/^(?:image|audio)\/|^application\/pdf$/.test(mimeType)) return { ...media(mimeType, resource.blob), name: uri };
  const bytes = Buffer.from(resource.blob, 'base64');
  if (mimeType.startsWith('text/')) return text(`Resource ${about(uri, mimeType)}:\n${bytes.toString('utf8')}`);
  return text(`Resource ${about(uri, mimeType)}: ${bytes.length} bytes that can't be shown`);
}

const about = (uri: string, mimeType: string | undefined): string => `<${uri}>${mimeType ? ` (${mimeType})` : ''}`;
const text = (words: string): TextPart => ({ type: 'text', text: words });
const media = (mediaType: string, data: string): MediaPart => ({ type: 'media', mediaType, source: { data } });
