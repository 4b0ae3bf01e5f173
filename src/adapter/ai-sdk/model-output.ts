import type { MediaPart, ResultPart } from '../../turn/turn.ts';
import { onlyWords } from '../only-words.ts';
import type { AiTool } from './schema-of.ts';

/** What the model reads of a result, in the SDK's words. */
export type ModelOutput = Awaited<ReturnType<NonNullable<AiTool['toModelOutput']>>>;
type Piece = Extract<ModelOutput, { type: 'content' }>['value'][number];

/** A result as the SDK tells it to a model: words where there are only words. */
export function modelOutput({ content }: ResultPart): ModelOutput {
  const value = onlyWords(content);
  return value === undefined ? { type: 'content', value: content.flatMap(pieceOf) } : { type: 'text', value };
}

function pieceOf(part: ResultPart['content'][number]): Piece[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type !== 'media') return [];
  const { mediaType, name } = part;
  const data = dataOf(part.source);
  return data ? [{ type: 'file', data, mediaType, ...(name !== undefined && { filename: name }) }] : [];
}

function dataOf(source: MediaPart['source']): Extract<Piece, { type: 'file' }>['data'] | undefined {
  if ('data' in source) return { type: 'data', data: source.data };
  if ('url' in source) return URL.canParse(source.url) ? { type: 'url', url: new URL(source.url) } : undefined;
  return undefined;
}
