import { ToolMessage } from '@langchain/core/messages';

/** A tool's answer with a note beside it. What steers the graph instead of answering stays as it is. */
export function noted<T>(answer: T, note: string | undefined): T {
  if (note === undefined || !ToolMessage.isInstance(answer)) return answer;
  const { content } = answer;
  const text = `Note: ${note}`;
  answer.content = typeof content === 'string' ? `${content}\n${text}` : [...content, { type: 'text', text }];
  return answer;
}
