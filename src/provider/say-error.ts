import type { ResultPart } from '../turn/turn.ts';
import { saysError } from './says-error.ts';

/** A result's content, saying that it is an error: for wires that have no mark for one. */
export function sayError(content: ResultPart['content']): ResultPart['content'] {
  const [first, ...others] = content;
  if (first?.type !== 'text') return [{ type: 'text', text: 'Error' }, ...content];
  return saysError(first.text) ? content : [{ ...first, text: `Error: ${first.text}` }, ...others];
}
