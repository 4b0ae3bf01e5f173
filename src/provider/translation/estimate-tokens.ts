import type { Part, TurnRequest } from '../../model/index.ts';

/** Bytes of UTF-8 for each token. Code, JSON and most languages have between 3 and 4. */
const bytesPerToken = 3.5;
/** What a large image costs at most at the providers that publish a formula. */
const tokensPerImage = 1600;
/** The markers around a message. */
const tokensPerMessage = 4;

/**
 * Estimates the input tokens of a request from its length, because a server's tokenizer isn't known: one token for 3.5
 * bytes of text and definitions, 4 for each message and 1,600 for each image.
 */
export function estimateTokens({
  messages,
  tools = [],
  output,
}: Pick<TurnRequest, 'messages' | 'tools' | 'output'>): number {
  let bytes = 0;
  let tokens = 0;
  for (const message of messages) {
    tokens += tokensPerMessage;
    for (const part of message.parts) {
      const { text, images } = sizeOf(part);
      bytes += text;
      tokens += images * tokensPerImage;
    }
  }
  for (const tool of tools)
    bytes += lengthOf(tool.type === 'function' ? { ...tool, passthrough: undefined } : tool.value);
  if (output) bytes += lengthOf(output);
  return tokens + Math.ceil(bytes / bytesPerToken);
}

function sizeOf(part: Part): { readonly text: number; readonly images: number } {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return { text: Buffer.byteLength(part.text), images: 0 };
    case 'call':
      return { text: part.name.length + lengthOf(part.arguments), images: 0 };
    case 'result': {
      const inner = part.content.map(sizeOf);
      return { text: sum(inner.map(({ text }) => text)), images: sum(inner.map(({ images }) => images)) };
    }
    case 'media':
      if (part.mediaType.startsWith('text/') && 'data' in part.source)
        return { text: (part.source.data.length * 3) / 4, images: 0 };
      return { text: 0, images: 1 };
    case 'opaque':
      return { text: lengthOf(part.value), images: 0 };
  }
}

const lengthOf = (value: unknown): number =>
  Buffer.byteLength(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
