import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { TurnError, TurnEvent } from '../../turn/turn.ts';
import { protocolError } from '../protocol-error.ts';
import { rest } from '../rest.ts';
import { TurnAssembly } from '../turn-assembly.ts';
import type { StreamReader } from '../wire.ts';
import { isError, readError } from './error.ts';
import { finishOf, finishWords } from './finish.ts';
import { StreamChoice } from './stream-choice.ts';
import { carrying, format, isText, leave } from './take.ts';
import { readUsage } from './usage.ts';

const chunkFields = ['id', 'object', 'model', 'choices', 'usage', 'obfuscation', 'error'];

/** Reads the chunks of one stream. */
export function readStream(emit: (event: TurnEvent) => void): StreamReader {
  const assembly = new TurnAssembly(format, emit);
  const choice = new StreamChoice(assembly);
  let fields: JsonObject | undefined;
  let usage: JsonValue | undefined;

  const start = (chunk: JsonObject): void => {
    const first = leftOf(chunk);
    fields = { ...first };
    const { id, model } = chunk;
    assembly.start({ ...(isText(id) && { id }), ...(isText(model) && { model }), ...leave(first) });
  };
  const fail = (error: TurnError): void => {
    if (assembly.ended) return;
    choice.settle();
    assembly.fail(error, { usage: readUsage(usage) });
  };
  const finish = (): void => {
    if (assembly.ended) return;
    choice.close();
    const reason = finishOf(choice.finish, choice.called);
    const odd = choice.finish !== undefined && choice.finish !== finishWords[reason];
    const told = { ...choice.rest, ...(odd && { finish_reason: choice.finish ?? null }) };
    const kept = Object.keys(told).length > 0 && { choices: [{ logprobs: null, ...told }] };
    const left = { ...fields, ...kept };
    const extra = Object.keys(left).length > 0 ? carrying(left).extra : undefined;
    assembly.finish({ finish: reason, usage: readUsage(usage), extra });
  };

  return {
    frame(chunk, name) {
      if (assembly.ended || chunk === null) return;
      if (!isObject(chunk)) return fail(protocolError('A frame of the stream must be an object'));
      if (isError(chunk.error) || name === 'error' || chunk.object === 'error') return fail(readError(200, chunk));
      if (!fields) start(chunk);
      const { choices } = chunk;
      const { x_groq: aside } = chunk;
      if (isObject(chunk.usage)) usage = chunk.usage;
      // One server counts in a field of its own.
      else if (isObject(aside) && isObject(aside.usage)) usage ??= aside.usage;
      const before = choice.finish;
      for (const one of Array.isArray(choices) ? choices : []) {
        if (isObject(one)) choice.take(one);
        if (isError(choice.error)) return fail(readError(200, { error: choice.error }));
      }
      // The last chunks say what the first could not know yet.
      const late = !Array.isArray(choices) || choices.length === 0 || isObject(chunk.usage) || choice.finish !== before;
      if (late) Object.assign(fields ?? {}, leftOf(chunk));
    },
    done: finish,
    end(error) {
      if (error) fail(error);
      else if (choice.finish !== undefined) finish();
      else fail(protocolError('The stream ended before a finish reason came: the answer may be cut off', true));
    },
  };
}

/** What a chunk says beyond its choices. */
const leftOf = (chunk: JsonObject): JsonObject => rest(chunk, chunkFields);
