import { z } from 'zod';
import { tool } from '../src/tools/tool.ts';
import { listFromText } from './list-from-text.ts';

/** The part of `fetch` that this tool needs. A test or a host can pass its own. */
export type Fetch = (url: string, init: { signal: AbortSignal }) => Promise<Pick<Response, 'ok' | 'status' | 'text'>>;

const longest = 20_000;

/** Fetches pages as text; `urls` is a list, JSON text or `<url>` elements. */
export const fetchWebpageTool = ({ fetch }: { fetch: Fetch }) =>
  tool({
    name: 'fetch_webpage',
    description: 'Fetches web pages and returns their text.',
    inputSchema: z.object({
      urls: z
        .preprocess(
          listFromText('url'),
          z
            .array(z.url({ protocol: /^https?$/ }))
            .min(1)
            .max(10),
        )
        .describe('Addresses of the pages, like ["https://example.com"]'),
      query: z.string().optional().describe('Return only the lines that contain this text'),
    }),
    effect: 'read',
    metadata: {
      category: 'web',
      tags: ['web', 'read'],
      version: '1.0.0',
      examples: [{ input: { urls: ['https://example.com/'] } }],
    },
    async execute({ urls, query }, { signal, note }) {
      const pages = await Promise.all(
        urls.map(async (url) => {
          const answer = await fetch(url, { signal });
          if (!answer.ok) return { url, error: `HTTP ${answer.status}` };
          const lines = plainText(await answer.text()).split('\n');
          const text = lines
            .filter((line) => query === undefined || line.toLowerCase().includes(query.toLowerCase()))
            .join('\n');
          if (text.length > longest) note(`${url} was cut after ${longest} characters`);
          return { url, text: text.slice(0, longest) };
        }),
      );
      return { ok: pages.some((page) => 'text' in page), pages };
    },
  });

/** The text of a page without its tags, scripts and empty lines; each step reads the page once, whatever it contains. */
const plainText = (html: string): string =>
  html
    .split(/<(?=script\b|style\b)/i)
    .map((piece, index) => (index === 0 ? piece : piece.replace(/^[\s\S]*?<\/(?:script|style)>/i, '')))
    .join('')
    .replace(/<[^<>]*>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
