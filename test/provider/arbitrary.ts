import fc from 'fast-check';
import type { JsonObject } from '../../src/json/value.ts';
import type { AssistantPart, Format, Message, TurnRequest, TurnResponse } from '../../src/model/index.ts';

/** What a wire can say: conversations beyond that are cut to it before they are written. */
export interface Reach {
  readonly format: Format;
  /** Arguments as the wire holds them. */
  readonly arguments: 'text' | 'value';
  /** Streams have them as text where whole answers have a value. */
  readonly streamed?: 'text';
  /** What may stand in an answer, in the order it must come in where the wire has one. */
  readonly parts: readonly ('reasoning' | 'sealed' | 'hidden' | 'text' | 'refusal' | 'call')[];
  /** The wire keeps one text, and calls after it. */
  readonly ordered?: boolean;
  readonly media?: readonly ('data' | 'url')[];
  readonly errors?: boolean;
  /** Results carry the tool's name. */
  readonly named?: boolean;
  /** Thoughts have an id of their own. */
  readonly ids?: boolean;
  /** The wire has no id for an answer. */
  readonly anonymous?: boolean;
  /** The wire says of each piece whether it was cached. */
  readonly settings: readonly (keyof TurnRequest)[];
  /** Those of them the wire insists on. */
  readonly required?: readonly (keyof TurnRequest)[];
}

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);
const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const id = fc.stringMatching(/^call_[a-z0-9]{6}$/);
const object = fc.dictionary(word, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4, noNullPrototype: true }).map(
  // JSON has no negative zero and no undefined: what comes back from a wire never has them either.
  (value) => JSON.parse(JSON.stringify(value)) as JsonObject,
);

const call = (reach: Reach, ids: fc.Arbitrary<string>): fc.Arbitrary<AssistantPart> =>
  fc.record({
    type: fc.constant('call' as const),
    id: ids,
    name: word,
    arguments:
      reach.arguments === 'text'
        ? fc.oneof(
            object.map((value) => JSON.stringify(value)),
            text,
          )
        : object,
  });

function part(reach: Reach, kind: Reach['parts'][number]): fc.Arbitrary<AssistantPart> {
  if (kind === 'call') return call(reach, id);
  if (kind === 'text' || kind === 'refusal') return text.map((value) => ({ type: kind, text: value }));
  const signature = text.map((value) => ({ format: reach.format, value }));
  const thought = { type: fc.constant('reasoning' as const), ...(reach.ids && { id: id.map((one) => `rs_${one}`) }) };
  if (kind === 'reasoning') return fc.record({ ...thought, text });
  if (kind === 'sealed') return fc.record({ ...thought, text, signature });
  return fc.record({ ...thought, text: fc.constant(''), signature, hidden: fc.constant(true) });
}

/** Neighbours of one kind would be read as one. */
const apart = (parts: readonly AssistantPart[]): AssistantPart[] =>
  parts.filter(({ type }, index) => type === 'call' || parts[index - 1]?.type !== type);

const once = (parts: readonly AssistantPart[]): AssistantPart[] => {
  const seen = new Set<string>();
  return parts.filter((one) => {
    const key = one.type === 'call' ? `call ${one.id}` : one.type;
    return !seen.has(key) && seen.add(key);
  });
};

/** What an answer of this wire may hold. */
export const answerParts = (reach: Reach): fc.Arbitrary<AssistantPart[]> =>
  fc
    .array(
      fc.constantFrom(...reach.parts).chain((kind) => part(reach, kind)),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => {
      if (!reach.ordered) return apart(withOwnIds(parts));
      const place = ({ type }: AssistantPart): number => ['reasoning', 'text', 'refusal', 'call'].indexOf(type);
      return once(withOwnIds(parts)).sort((a, b) => place(a) - place(b));
    });

const withOwnIds = (parts: readonly AssistantPart[]): AssistantPart[] =>
  parts.map((one, index) => (one.type === 'call' ? { ...one, id: `${one.id}${index}` } : one));

/** An answer this wire can say. */
export const turnResponse = (reach: Reach): fc.Arbitrary<TurnResponse> =>
  fc
    .record({ parts: answerParts(reach), id, model: word, input: fc.nat(1000), output: fc.nat(1000) })
    .map(({ parts, id: given, model, input, output }) => ({
      ...(!reach.anonymous && { id: given }),
      model,
      message: { role: 'assistant', parts },
      finish: parts.some(({ type }) => type === 'call') ? 'tool_calls' : 'stop',
      usage: { input, output },
    }));

/** A conversation this wire can say: a person asks, the model answers and calls, each call gets its result. */
export function turnRequest(reach: Reach): fc.Arbitrary<TurnRequest> {
  const said: fc.Arbitrary<Message[]> = fc
    .array(fc.tuple(text, answerParts(reach), fc.array(text, { minLength: 6, maxLength: 6 }), fc.boolean()), {
      maxLength: 3,
    })
    .map((rounds) => rounds.flatMap(([asked, parts, results, failed]) => round(reach, asked, parts, results, failed)));
  const settings: Partial<Record<keyof TurnRequest, fc.Arbitrary<unknown>>> = {
    tools: fc.uniqueArray(
      fc.record({
        type: fc.constant('function'),
        name: word,
        description: text,
        schema: fc.constant({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }),
      }),
      { minLength: 1, maxLength: 3, selector: ({ name }) => name },
    ),
    maxTokens: fc.integer({ min: 1, max: 9999 }),
    temperature: fc.constantFrom(0, 0.5, 1),
    topP: fc.constantFrom(0.1, 0.9),
    stop: fc.array(text, { minLength: 1, maxLength: 2 }),
    stream: fc.constant(true),
  };
  const chosen = Object.fromEntries(Object.entries(settings).filter(([key]) => reach.settings.includes(key as never)));
  return fc
    .record({
      model: word,
      system: fc.option(text),
      said,
      last: text,
      rest: fc.record(chosen, { requiredKeys: [...(reach.required ?? [])] }),
    })
    .map(({ model, system, said: messages, last, rest }) => ({
      model,
      messages: [
        ...(system === null ? [] : [{ role: 'system' as const, parts: [{ type: 'text' as const, text: system }] }]),
        ...messages,
        { role: 'user' as const, parts: [{ type: 'text' as const, text: last }] },
      ],
      ...(rest as Partial<TurnRequest>),
    }));
}

function round(
  reach: Reach,
  asked: string,
  parts: AssistantPart[],
  results: readonly string[],
  failed: boolean,
): Message[] {
  const calls = parts.filter((one) => one.type === 'call');
  const answer: Message = { role: 'assistant', parts };
  const user: Message = { role: 'user', parts: [{ type: 'text', text: asked }] };
  if (calls.length === 0) return [user, answer];
  const given = calls.map((one, index) => ({
    type: 'result' as const,
    callId: one.id,
    ...(reach.named && { name: one.name }),
    content: [{ type: 'text' as const, text: results[index] ?? '' }],
    ...(reach.errors && failed && index === 0 && { isError: true }),
  }));
  return [user, answer, { role: 'user', parts: given }];
}
