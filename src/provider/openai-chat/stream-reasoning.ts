import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { TurnAssembly } from '../turn-assembly.ts';
import { detailText, reasoningFields, reasoningMarks } from './reasoning.ts';
import { isString, isText } from './take.ts';

type Slot = ReturnType<TurnAssembly['open']>;

/** Texts that come in pieces inside one of `reasoning_details`. */
const grown = ['text', 'summary', 'data', 'signature'];

/** One thought of a stream. Servers say it in one field, in two at once, or in a list; the first to come counts. */
export interface Thought {
  readonly slot: Slot;
  readonly fields: string[];
  readonly details: JsonObject[];
}

/** Whether a delta thinks. */
export const isThinking = (delta: JsonObject): boolean =>
  isText(delta.reasoning_content) ||
  isText(delta.reasoning) ||
  (Array.isArray(delta.reasoning_details) && delta.reasoning_details.length > 0);

/** A thought begins, known by the fields of its first delta. */
export function openThought(assembly: TurnAssembly, delta: JsonObject): Thought {
  const fields = reasoningFields.filter((field) => isText(delta[field]));
  const { extra } = reasoningMarks(' ', fields, undefined);
  const slot = assembly.open({ type: 'reasoning', text: '', ...(extra && { extra }) });
  return { slot, fields: [], details: [] };
}

/** Takes what a delta says of a thought. */
export function addThought(assembly: TurnAssembly, thought: Thought, delta: JsonObject): void {
  for (const field of reasoningFields) {
    const text = delta[field];
    if (!isText(text)) continue;
    const silent = thought.fields.length === 0 && thought.slot.text === '';
    if (!thought.fields.includes(field)) thought.fields.push(field);
    if (silent || thought.fields[0] === field) assembly.grow(thought.slot, text);
  }
  if (!Array.isArray(delta.reasoning_details)) return;
  for (const detail of delta.reasoning_details) {
    if (thought.fields.length === 0) assembly.grow(thought.slot, detailText(detail));
    addDetail(thought.details, detail);
  }
}

/** Pieces of one detail have its type and its index. */
function addDetail(details: JsonObject[], detail: JsonValue): void {
  if (!isObject(detail)) return;
  const last = details.at(-1);
  if (!last || last.type !== detail.type || last.index !== detail.index) {
    details.push({ ...detail });
    return;
  }
  for (const [key, value] of Object.entries(detail)) {
    if (key === '__proto__') continue;
    const before = last[key];
    if (grown.includes(key) && isString(before) && isString(value)) last[key] = before + value;
    else if (value !== null || before === undefined) last[key] = value;
  }
}

export function closeThought(assembly: TurnAssembly, { slot, fields, details }: Thought): void {
  assembly.close(slot, reasoningMarks(slot.text, fields, details.length > 0 ? details : undefined));
}
