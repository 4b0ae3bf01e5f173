import type { PromptResult } from './sdk-types.ts';

type Output = PromptResult['output'];

/** A result with a note beside it: what was dropped of the call, which the model would otherwise believe was heeded. */
export function noted(output: Output, note: string): Output {
  const words = `Note: ${note}`;
  if (output.type === 'execution-denied') return output;
  if (output.type === 'content') return { ...output, value: [...output.value, { type: 'text', text: words }] };
  const isError = output.type === 'error-text' || output.type === 'error-json';
  const said = typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
  return { ...output, type: isError ? 'error-text' : 'text', value: `${said}\n${words}` };
}
