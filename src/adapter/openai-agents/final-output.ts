import type { AgentOutputItem, AssistantMessageItem, ModelRequest } from '@openai/agents-core';
import { isObject } from '../../json/value.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import type { FinishReason } from '../../model/index.ts';
import type { Schema } from '../../schema/schema.ts';
import { mendOutputText, outputSchema } from '../output-text.ts';
import { isAction, isMessage } from './items.ts';
import type { MendedOutput } from './mend-output.ts';

/** The schema of an agent's `outputType`; undefined for text. */
export function requestedSchema({ outputType }: ModelRequest): Schema | undefined {
  const schema = isObject(outputType) && 'schema' in outputType ? outputType.schema : undefined;
  return isObject(schema) ? outputSchema(schema) : undefined;
}

/** Mends the final output, which is the last text of a response without calls. */
export function mendFinal(
  output: readonly AgentOutputItem[],
  schema: Schema,
  finish: FinishReason | undefined,
): Pick<MendedOutput, 'output' | 'refused'> {
  const last = output.findLast(isMessage);
  const piece = last?.content.findLast(({ type }) => type === 'output_text');
  if (!last || piece?.type !== 'output_text' || output.some(isAction)) return { output: [...output] };
  const { text, out } = mendOutputText(piece.text, schema, finish);
  const content = last.content.map((one) => (one === piece ? { ...piece, text } : one));
  const mended: AssistantMessageItem = { ...last, content };
  return {
    output: output.map((item) => (item === last ? mended : item)),
    refused: out.status === 'invalid' ? (attempt) => feedback(out, { attempt }).text : undefined,
  };
}
