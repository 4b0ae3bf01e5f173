import { cached } from '../json/text-cache.ts';
import { stringifyJson } from '../json/value.ts';
import { feedback } from '../mend/feedback/feedback.ts';
import { mendText } from '../mend/mend-value.ts';
import type { BadValue, MendedValue } from '../mend/outcome.ts';
import { ArgumentGate } from '../mend/streaming/argument-gate.ts';
import { jsonSuffix } from '../mend/streaming/json-suffix.ts';
import type { WrittenFinishReason } from '../model/index.ts';
import { type Schema, schemaOf } from '../schema/schema.ts';
import { copySchema } from '../schema/strips.ts';
import type { JsonSchema } from '../schema/types.ts';
import { isStandard } from '../schema/vendors/standard.ts';
import { checkedBy } from './tool-with-schema.ts';

const schemas = new WeakMap<object, Schema>();

/**
 * The schema of a framework's structured output: any schema that its users pass, or the JSON Schema that it sends. Zod
 * includes its validator in a JSON Schema that it creates, which then decides.
 */
export const outputSchema = (source: object): Schema =>
  cached(schemas, source, () => {
    const isJson = Object.getPrototypeOf(source) === Object.prototype && !('safeParse' in source);
    if (!isJson || !isStandard(source)) return schemaOf(source);
    return checkedBy(source, schemaOf(copySchema<object>(source) as JsonSchema));
  });

/**
 * The mended text of structured output, and its result. A refused text stays unchanged, for the framework to report. If the
 * framework would accept it, as with a key that is written twice, the reason follows the text, so that it is no longer JSON.
 */
export function mendOutputText(
  text: string,
  schema: Schema,
  finishReason?: WrittenFinishReason,
): { readonly text: string; readonly out: MendedValue } {
  const out = mendText(text, schema, { finishReason });
  if (out.status === 'mended') return { text: stringifyJson(out.input) ?? text, out };
  return { text: out.status === 'invalid' ? withReason(text, schema, out) : text, out };
}

/** Some frameworks also read code fences, wherever they are in the text. */
const fence = /(?<=```\w*\s).*?(?=```)/gs;

/** A refused text with the reason after each part that a framework would accept. */
function withReason(text: string, { check }: Schema, out: BadValue): string {
  const explained = (json: string): string => {
    try {
      return check(JSON.parse(json)).ok ? `${json}\n\n${feedback(out).text}\n` : json;
    } catch {
      return json;
    }
  };
  const complete = explained(text);
  return complete === text ? text.replace(fence, explained) : complete;
}

/**
 * Mends structured output while it streams. Text passes while mending can't change it; the rest follows at its end.
 *
 * @example
 * const output = new OutputStream(schema);
 * for (const delta of deltas) send(output.push(delta));
 * send(output.end(finishReason));
 */
export class OutputStream {
  readonly #schema: Schema;
  readonly #gate: ArgumentGate;
  readonly #write: (json: string) => string;
  #sent = '';
  #pending = '';

  /** @param write Writes JSON, or a part of it, as the framework reads it. A refused text isn't passed to it. */
  constructor(schema: Schema, write = (json: string): string => json) {
    this.#schema = schema;
    this.#write = write;
    this.#gate = new ArgumentGate(schema.json);
  }

  /** Takes a delta, and returns the text that can be sent. */
  push(delta: string): string {
    this.#pending += delta;
    return this.#gate.feed(delta) === 'clear' ? this.#write(this.#send(this.#pending)) : '';
  }

  /** Ends the text, and returns the rest of it. */
  end(finishReason?: WrittenFinishReason): string {
    const { out, text } = mendOutputText(this.#sent + this.#pending, this.#schema, finishReason);
    if (out.status === 'invalid')
      return this.#send(text.startsWith(this.#sent) ? text.slice(this.#sent.length) : this.#pending);
    const rest = out.status === 'mended' ? jsonSuffix(this.#sent, out.input) : undefined;
    return this.#write(this.#send(rest ?? this.#pending));
  }

  #send(text: string): string {
    this.#sent += text;
    this.#pending = '';
    return text;
  }
}
