import type { ResultPart } from '../../model/index.ts';

/** Adds "Error" to the content of a result, for APIs that can't flag errors. */
export function writeErrorText(content: ResultPart['content']): ResultPart['content'] {
  const [first, ...others] = content;
  if (first?.type !== 'text') return [{ type: 'text', text: 'Error' }, ...content];
  return hasErrorText(first.text) ? content : [{ ...first, text: `Error: ${first.text}` }, ...others];
}

/** Whether the text of a result describes an error, for APIs that can't flag errors. */
export const hasErrorText = (text: string): boolean => /^\s*(?:error\b|\{\s*"ok"\s*:\s*false)/i.test(text);
