import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { MediaPart, OpaquePart, Part, TextPart } from '../../turn/turn.ts';
import { makeId } from '../make-id.ts';
import { mustBeObject } from '../must-be.ts';
import { WireError } from '../wire-error.ts';
import { readMedia } from './media.ts';
import { format, rest } from './pen.ts';

type ReadBlock = (block: JsonObject) => Part | undefined;

/** Blocks the middle shape knows. What is none of these, or not as it should be, stays opaque. */
const readers = new Map<unknown, ReadBlock>([
  [
    'text',
    (block) =>
      typeof block.text === 'string' ? { type: 'text', text: block.text, ...rest(block, ['type', 'text']) } : undefined,
  ],
  ['thinking', readThinking],
  [
    'redacted_thinking',
    (block) =>
      typeof block.data === 'string'
        ? {
            type: 'reasoning',
            text: '',
            hidden: true,
            seal: { format, value: block.data },
            ...rest(block, ['type', 'data']),
          }
        : undefined,
  ],
  [
    'tool_use',
    (block) => ({
      type: 'call',
      id: typeof block.id === 'string' && block.id !== '' ? block.id : makeId(),
      name: typeof block.name === 'string' ? block.name : '',
      arguments: block.input ?? {},
      ...rest(block, ['type', 'id', 'name', 'input']),
    }),
  ],
  ['tool_result', readResult],
  ['image', readMedia],
  ['document', readMedia],
]);

/** A content block as a part. */
export const readBlock = (block: JsonObject): Part => readers.get(block.type)?.(block) ?? opaque(block);

const opaque = (value: JsonValue): OpaquePart => ({ type: 'opaque', format, value });

/** A thought that nobody signed keeps its fields, be they none: only so is it sent back to where it came from. */
function readThinking(block: JsonObject): Part | undefined {
  const { thinking: text, signature } = block;
  if (typeof text !== 'string') return undefined;
  if (typeof signature === 'string' && signature !== '')
    return {
      type: 'reasoning',
      text,
      seal: { format, value: signature },
      ...rest(block, ['type', 'thinking', 'signature']),
    };
  return { type: 'reasoning', text, extra: { format, fields: {} }, ...rest(block, ['type', 'thinking']) };
}

/** A list that is empty or no list at all is kept as it came, because absent content is written as nothing. */
function readResult(block: JsonObject): Part | undefined {
  const { tool_use_id: callId, content, is_error: isError } = block;
  if (typeof callId !== 'string') return undefined;
  const told = typeof content === 'string' || (Array.isArray(content) && content.length > 0);
  const known = [
    'type',
    'tool_use_id',
    ...(told ? ['content'] : []),
    ...(typeof isError === 'boolean' ? ['is_error'] : []),
  ];
  return {
    type: 'result',
    callId,
    content: told ? readContent(content, 'content', ['text', 'media']) : [],
    ...(typeof isError === 'boolean' && { isError }),
    ...rest(block, known),
  } as Part;
}

/**
 * Content as a string or as blocks. A lone plain text that stood in a list, and an empty one, are marked, so that they
 * are written so again.
 *
 * @param kinds the parts that may stand here; others stay opaque
 */
export function readContent<P extends Part = TextPart | MediaPart | OpaquePart>(
  content: JsonValue | undefined,
  where: string,
  kinds: readonly Part['type'][],
): P[] {
  if (typeof content === 'string') return [{ type: 'text', text: content } as P];
  if (!Array.isArray(content)) throw new WireError(where, 'must be a string or a list of blocks');
  return content.map((item, index) => {
    const block = mustBeObject(item, `${where}.${index}`);
    const part = readBlock(block);
    if (!kinds.includes(part.type)) return opaque(block) as P;
    const marked = part.type === 'text' && !part.extra && (content.length === 1 || part.text === '');
    return (marked ? { ...part, extra: { format, fields: {} } } : part) as P;
  });
}
