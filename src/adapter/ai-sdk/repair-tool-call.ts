import type { ToolCallRepairFunction, ToolSet } from 'ai';
import { checkArgument, isObject } from '../../json/value.ts';
import { mendCall } from '../../mend/mend-call.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { toolWithSchema } from '../tool-with-schema.ts';
import { place } from './outgoing-call.ts';
import { schemaOf } from './schema-of.ts';

const made = new WeakMap<ToolSet, Promise<Toolbox>>();

/**
 * For the SDK's option of the same name: mends a call that the SDK refused. The finish reason isn't available here, so
 * an unclosed call counts as truncated and is never completed.
 *
 * @example
 * await generateText({ model, tools, prompt, repairToolCall });
 */
export const repairToolCall: ToolCallRepairFunction<ToolSet> = async (failed) => {
  checkArgument(isObject(failed?.tools), 'argument', '{ toolCall, tools }, as the AI SDK passes it', failed);
  const { toolCall, tools } = failed;
  const known = made.get(tools) ?? toolboxOf(tools);
  made.set(tools, known);
  const { toolCallId: id, toolName: name, input, providerMetadata } = toolCall;
  // The middleware has already checked it, with a policy that isn't known here.
  if (providerMetadata?.[place]?.input !== undefined) return null;
  const { part, changed } = mendCall({ type: 'call', id, name, arguments: input }, await known, undefined, 'length');
  return changed ? { ...toolCall, toolName: part.name, input: String(part.arguments) } : null;
};

async function toolboxOf(tools: ToolSet): Promise<Toolbox> {
  const own = Object.entries(tools).filter(([, one]) => one.type !== 'provider');
  const known = own.map(async ([name, one]) => {
    const description = typeof one.description === 'string' ? one.description : '';
    return toolWithSchema(name, description, (await schemaOf(one)).input);
  });
  return new Toolbox(await Promise.all(known), { validate: false });
}
