import type { AgentOutputItem, AssistantMessageItem, FunctionCallItem, ModelRequest } from '@openai/agents-core';
import { isObject, stringifyJson } from '../../json/value.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import { makeId } from '../../mend/make-id.ts';
import { type CheckedCall, keepNumbers } from '../../mend/mend-call.ts';
import type { AssistantPart, CallPart, FinishReason, TurnResponse } from '../../model/index.ts';
import { asValue } from '../../provider/wire/arguments.ts';
import { completeTurn } from '../../provider/wire/turn-assembler.ts';
import type { Schema } from '../../schema/schema.ts';
import { mendTurn, type ResponseOptions } from '../mend-turn.ts';
import { mendOutputText, outputSchema } from '../output-text.ts';
import { confirmedCalls, isAction, isCall, isMessage } from './items.ts';
import type { RequestTools } from './request-tools.ts';
import { fillNulls } from './tool-schema.ts';

/** A call that can't be mended, and its item. */
export interface BadCall extends CheckedCall {
  readonly item: FunctionCallItem;
}

/** A response with mended calls. */
export interface MendedOutput {
  /** The items for the SDK: all except bad calls. */
  readonly output: AgentOutputItem[];
  /** All items, with the bad calls in place, because providers require what follows reasoning. */
  readonly said: AgentOutputItem[];
  readonly bad: readonly BadCall[];
  /** Whether calls without a name were ignored. */
  readonly ignored: boolean;
  /** Creates the feedback if the final output is refused. */
  readonly refused?: ((attempt: number) => string) | undefined;
}

/** What is known about a response besides its items. */
interface OutputOptions extends ResponseOptions {
  readonly finish?: FinishReason | undefined;
  /** Ids of earlier calls. The SDK treats calls with the same id as one. */
  readonly used?: ReadonlySet<string>;
}

/** Mends the calls of a response's items. Everything else stays unchanged and in place. */
export function mendOutput(
  output: readonly AgentOutputItem[],
  tools: RequestTools,
  { finish, used, ...options }: OutputOptions = {},
): MendedOutput {
  const came = turnOfOutput(output, finish);
  const { response, calls } = mendTurn(came, tools.toolbox, options);
  const items = new Map<number, FunctionCallItem>();
  const found: FunctionCallItem[] = [];
  const bad: BadCall[] = [];
  for (const call of calls) {
    const at = placeOf(call.part);
    const item = itemOf(call, at === undefined ? undefined : output[at], tools, used);
    if (isBad(call, tools)) bad.push({ ...call, item });
    if (at === undefined) found.push(item);
    else items.set(at, item);
  }
  const left = response.message.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
  const kept = output.map((item, at) => (isCall(item) ? items.get(at) : item)).filter((item) => item !== undefined);
  const said = [...(found.length > 0 ? withWords(kept, left) : kept), ...found];
  const refused = new Set<AgentOutputItem>(bad.map(({ item }) => item));
  return { output: said.filter((item) => !refused.has(item)), said, bad, ignored: came.ignored !== undefined };
}

/** A name that isn't in the request may still be known to the SDK. */
const isBad = ({ outcome }: CheckedCall, { open }: RequestTools): boolean =>
  outcome.status === 'invalid' && !(open && outcome.errorType === 'unknown_tool');

function itemOf(
  { part, outcome }: CheckedCall,
  from: AgentOutputItem | undefined,
  { strict }: RequestTools,
  used: ReadonlySet<string> | undefined,
): FunctionCallItem {
  const base: Omit<FunctionCallItem, 'callId' | 'name' | 'arguments'> =
    from && isCall(from) ? from : { type: 'function_call', status: 'completed' };
  const callId = used?.has(part.id) ? makeId() : part.id;
  const schema = outcome.status === 'invalid' ? undefined : strict.get(outcome.name);
  const filled = schema === undefined ? undefined : fillNulls(outcome.input, schema);
  const same = filled === undefined || JSON.stringify(filled) === JSON.stringify(outcome.input);
  const given = same ? textOf(part) : filledText(part, filled);
  const item = { ...base, callId, name: part.name, arguments: given };
  if (outcome.raw.repeated) confirmedCalls.add(item);
  return item;
}

/** The arguments with nulls filled in, and their numbers as written. */
function filledText(part: CallPart, filled: unknown): string {
  keepNumbers(textOf(part), filled);
  return stringifyJson(filled);
}

const textOf = ({ arguments: given }: CallPart): string =>
  typeof given === 'string' ? given : stringifyJson(given ?? {});

/** Replaces the text after calls were removed from it: in the first message, or nowhere. */
function withWords(output: readonly AgentOutputItem[], words: string): AgentOutputItem[] {
  const first = output.findIndex(isMessage);
  return output.flatMap((item, at): AgentOutputItem[] => {
    if (!isMessage(item)) return [item];
    const rest = item.content.filter(({ type }) => type !== 'output_text');
    const said = item.content.find(({ type }) => type === 'output_text');
    const text = at === first && said?.type === 'output_text' && words.trim() !== '' ? [{ ...said, text: words }] : [];
    const content = [...text, ...rest];
    return content.length === 0 ? [] : [{ ...item, content }];
  });
}

const format = 'openai-responses';

/** Converts items to the common format. Each part stores the index of its item; other items are placeholders. */
function turnOfOutput(output: readonly AgentOutputItem[], finish: FinishReason | undefined): TurnResponse {
  return completeTurn(format, {}, output.flatMap(partsOf), { finish });
}

function partsOf(item: AgentOutputItem, at: number): AssistantPart[] {
  const passthrough = { format, fields: { at } } as const;
  if (isCall(item)) {
    const { callId, name, arguments: given } = item;
    // Compatible servers omit fields, which the SDK passes on as undefined.
    const value = item.status === 'incomplete' ? asValue(given ?? '') : (given ?? '');
    return [{ type: 'call', id: callId ?? '', name: name ?? '', arguments: value, passthrough }];
  }
  if (!isMessage(item)) return [{ type: 'opaque', format, value: at }];
  return item.content.flatMap((piece) =>
    piece.type === 'output_text' ? [{ type: 'text', text: piece.text, passthrough }] : [],
  );
}

/** The index of a part's item; undefined if it was read from text. */
function placeOf(part: AssistantPart): number | undefined {
  const at = 'passthrough' in part ? part.passthrough?.fields.at : undefined;
  return typeof at === 'number' ? at : undefined;
}

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
