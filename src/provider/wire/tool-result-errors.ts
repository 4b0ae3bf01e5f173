import type { ResultPart } from '../../model/index.ts';

/** A result's content, saying that it is an error: for wires that have no mark for one. */
export function writeErrorText(content: ResultPart['content']): ResultPart['content'] {
  const [first, ...others] = content;
  if (first?.type !== 'text') return [{ type: 'text', text: 'Error' }, ...content];
  return hasErrorText(first.text) ? content : [{ ...first, text: `Error: ${first.text}` }, ...others];
}

/** Whether a result's text says by itself that something went wrong, for wires that have no mark for it. */
export const hasErrorText = (text: string): boolean => /^\s*(?:error\b|\{\s*"ok"\s*:\s*false)/i.test(text);
