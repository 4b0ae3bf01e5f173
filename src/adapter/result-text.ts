import type { ResultPart } from '../model/index.ts';

/** The words of a result that holds nothing else; nothing where it does, and a framework needs its pieces. */
export function resultText(content: ResultPart['content']): string | undefined {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n') : undefined;
}
