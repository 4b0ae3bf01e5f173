import { isObject, type JsonObject } from '../../json/value.ts';
import type { CallPart, Part, ReasoningPart, ResultPart, TextPart } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { mendedArguments } from '../mended-arguments.ts';
import { writeMedia } from './media.ts';
import { format, lay, lose, ours, type Pen } from './pen.ts';

/** A part as a content block; nothing, and a loss, where the wire has no word for it. */
export function writeBlock(pen: Pen, where: string, part: Part): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return lay({ type: 'text', text: part.text }, part);
    case 'refusal':
      lose(pen, where, 'A refusal is said as plain text here');
      return lay({ type: 'text', text: part.text }, part);
    case 'media':
      return writeMedia(pen, where, part);
    case 'reasoning':
      return writeReasoning(pen, where, part);
    case 'call':
      return writeCall(pen, where, part);
    case 'result':
      return writeResult(pen, where, part);
    case 'opaque':
      return part.format === format && isObject(part.value) ? part.value : undefined;
  }
}

/** Content as blocks, or as a string where it is one plain text. */
export function writeContent(pen: Pen, where: string, parts: readonly Part[]): string | JsonObject[] {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text' && !ours(only)) return only.text;
  return parts.flatMap((part, index): JsonObject[] => {
    // An empty text block is refused, and other wires have them beside calls.
    if (part.type === 'text' && part.text === '' && !ours(part)) return [];
    const block = writeBlock(pen, `${where}.${index}`, part);
    return block ? [block] : [];
  });
}

function writeReasoning(pen: Pen, where: string, part: ReasoningPart): JsonObject | undefined {
  const { text, seal, hidden } = part;
  if (seal?.format === format) {
    const block = hidden
      ? { type: 'redacted_thinking', data: seal.value }
      : { type: 'thinking', thinking: text, signature: seal.value };
    return lay(block, part);
  }
  if (ours(part)) return lay({ type: 'thinking', thinking: text }, part);
  if (pen.answer && text !== '') return lay({ type: 'thinking', thinking: text, signature: '' }, part);
  lose(pen, where, 'Reasoning without a signature of this provider is refused, left out');
  return undefined;
}

function writeCall(pen: Pen, where: string, part: CallPart): JsonObject {
  const { object: input, what } = mendedArguments(part.arguments);
  if (what !== undefined) lose(pen, `${where}.arguments`, what);
  return lay({ type: 'tool_use', id: part.id, name: part.name, input }, part);
}

function writeResult(pen: Pen, where: string, part: ResultPart): JsonObject {
  const { callId, content, isError } = part;
  const written = content.length > 0 ? writeContent(pen, `${where}.content`, content) : '';
  const block = present({
    type: 'tool_result',
    tool_use_id: callId,
    content: written.length > 0 || isPlain(content) ? written : undefined,
    is_error: isError,
  });
  return lay(block, part);
}

const isPlain = (content: ResultPart['content']): boolean =>
  content.length === 1 && content.every((part): part is TextPart => part.type === 'text');
