import type { AIMessage } from '@langchain/core/messages';
import type { Answer } from './answer.ts';

/** What a message is made of beside its calls. */
export type Rest = Pick<AIMessage, 'content' | 'additional_kwargs' | 'response_metadata'>;

/** The rest of a message, without the calls that stood in its words. A thought that stood there too is kept where thoughts are. */
export function rewriteWords(
  { content, additional_kwargs, response_metadata }: Answer,
  before: readonly string[],
  words: readonly string[],
  thoughts: readonly string[],
): Rest {
  const kept = thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n') };
  const rest = { content, additional_kwargs: { ...kept, ...additional_kwargs }, response_metadata };
  const text = words.join('');
  if (text === before.join('') && thoughts.length === 0) return rest;
  if (typeof content === 'string') return { ...rest, content: text };
  // All that is left of the words stands where the first of them stood.
  let left = text;
  const blocks = content.flatMap((block) => {
    if (block.type !== 'text') return [block];
    const said = left;
    left = '';
    return said === '' ? [] : [{ ...block, text: said }];
  });
  return { ...rest, content: blocks };
}
