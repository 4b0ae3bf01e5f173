import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { AssistantPart } from '../../model/index.ts';
import { asValue } from '../../provider/wire/arguments.ts';
import { completeTurn, isNameable } from '../../provider/wire/turn-assembler.ts';
import { mendTurn } from '../mend-turn.ts';
import { finishOf, mendedFinish } from './finish-reason.ts';
import type { Content, GenerateResult, Text, ToolCall } from './options.ts';
import { outgoingCall } from './outgoing-call.ts';
import { format } from './part-mender.ts';
import { hasContent } from './prompt-feedback.ts';
import type { VisibleTools } from './visible-tools.ts';

/** Mends the calls of a complete response. Everything else stays unchanged and in place. */
export function mendContent(
  { content, finishReason }: GenerateResult,
  { toolbox, options, isOurs }: VisibleTools,
): Pick<GenerateResult, 'content' | 'finishReason'> {
  const cut = finishOf(finishReason) === 'length';
  const parts = content.map((one): AssistantPart => {
    const passthrough = { format, fields: { came: one } as unknown as JsonObject };
    if (one.type === 'text') return { type: 'text', text: one.text, passthrough };
    if (one.type !== 'tool-call' || !isOurs(one)) return { type: 'opaque', format, value: one as unknown as JsonValue };
    return {
      type: 'call',
      id: one.toolCallId,
      name: one.toolName,
      arguments: cut ? asValue(one.input) : one.input,
      passthrough,
    };
  });
  const came = completeTurn(format, {}, parts, { finish: finishOf(finishReason) });
  const { response, calls } = mendTurn(came, toolbox, options);
  const judged = new Map(calls.map((call) => [call.part.id, call]));
  const texts = content.filter((one) => one.type === 'text');
  const back = (part: AssistantPart): Content => {
    if (part.type === 'opaque') return part.value as unknown as Content;
    const own = 'passthrough' in part ? (part.passthrough?.fields.came as unknown as Content | undefined) : undefined;
    if (part.type === 'call') {
      const call = judged.get(part.id);
      const bare: ToolCall = { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: '' };
      return call ? outgoingCall((own as ToolCall | undefined) ?? bare, call, toolbox) : (own ?? bare);
    }
    // If calls were read from the only text, the rest of that text keeps its fields.
    const first = own ?? (texts.length === 1 ? texts[0] : undefined);
    const { text = '' } = part as { text?: string };
    return { ...(first as Text | undefined), type: part.type === 'reasoning' ? 'reasoning' : 'text', text };
  };
  const mended = response.message.parts.map(back);
  // An empty response would end the run, so the SDK gets the call and refuses it, which keeps it in the history with a
  // result.
  const nameless = mended.some(hasContent) ? [] : content.filter((one) => isNameless(one, isOurs));
  return {
    content: [...mended, ...nameless.slice(0, 1)],
    finishReason: mendedFinish(finishReason, {
      calls,
      ignored: came.ignored !== undefined && nameless.length === 0,
    }),
  };
}

const isNameless = (one: Content, isOurs: VisibleTools['isOurs']): boolean =>
  one.type === 'tool-call' && isOurs(one) && !isNameable(one.toolName);
