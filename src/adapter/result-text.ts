import type { ResultPart } from '../model/index.ts';

/** The text of a result; undefined if it has other content. */
export function resultText(content: ResultPart['content']): string | undefined {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n') : undefined;
}
