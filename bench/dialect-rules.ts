/**
 * Recorded texts whose expectation contradicts a rule for calls in text, if no dialect is named. Inference servers know
 * their model, so their tests read more than text without a known dialect allows (docs/reference/dialects.md).
 */
import { isDeepStrictEqual } from 'node:util';
import { CallReader } from '../src/dialect/call-reader.ts';
import { dialects } from '../src/dialect/dialects/index.ts';
import type { CallEvent } from '../src/dialect/types.ts';
import { tool } from '../src/tools/tool.ts';
import { Toolbox } from '../src/tools/toolbox.ts';

/** One recorded text, with what the test suite it is from expects. */
export interface RecordedText {
  readonly id: string;
  readonly format: string;
  readonly raw: string;
  readonly tools?: readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
  readonly reasoning_open?: boolean;
  readonly expected_calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly alternatives?: readonly unknown[];
  readonly content_strict?: boolean;
  readonly expected_content?: string;
}

/** What was read from it. */
export interface DecodedText {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
}

const hasWords = (text: string): boolean => /\S/.test(text);
const isBare = (format: string): boolean =>
  dialects.some(({ name, group, forms }) => name === format && (group === 'F' || forms.every(({ bare }) => bare)));

/** The text before the first and after the last call, as the named dialect reads it. */
function besideCalls(one: RecordedText): { readonly lead: string; readonly rest: string } {
  const { raw, format, reasoning_open } = one;
  const names = new Set(one.expected_calls.map(({ name }) => name));
  const inputSchema = { type: 'object' } as const;
  const toolbox = new Toolbox(
    [...names].map((name) => tool({ name, description: '', inputSchema })),
    { validate: false },
  );
  const reader = new CallReader(toolbox, { dialect: format, reasoningOpen: reasoning_open === true });
  const events: CallEvent[] = [...reader.push(raw), ...reader.end()];
  const isCall = ({ type }: CallEvent): boolean => type.startsWith('call.');
  const textOf = (some: readonly CallEvent[]): string =>
    some.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return {
    lead: textOf(events.slice(0, Math.max(0, events.findIndex(isCall)))),
    rest: textOf(events.slice(1 + events.findLastIndex(isCall))),
  };
}

/** The rule by which calls of a text aren't read without a named dialect, or undefined. */
export function callRule(one: RecordedText): string | undefined {
  const names = new Set(one.tools?.map((tool) => tool.name ?? tool.function?.name));
  if (one.tools && one.expected_calls.some(({ name }) => !names.has(name))) return 'rule 3, a name that no tool has';
  const { lead, rest } = besideCalls(one);
  if (isBare(one.format)) return hasWords(lead + rest) ? 'rule 4, a bare form beside words' : undefined;
  if (hasWords(rest)) return 'rule 3, words after plain markers, or after markers inside a line';
  return /\?\s*$/.test(lead) ? 'rule 3, a question before plain markers' : undefined;
}

/** The rule by which the text for the user differs from what is expected, or undefined. */
export function textRule(one: RecordedText, got: DecodedText): string | undefined {
  const { expected_calls: calls, expected_content: content = '' } = one;
  if (calls.length > 0 && (got.calls ?? []).length === 0) return callRule(one);
  const left = got.text ?? '';
  if (content.trim() !== '' && content.trim() === got.reasoning?.trim()) return 'rule 1, reasoning is not text';
  if (calls.length === 0) return one.raw.endsWith(left) ? 'rule 6, a response without calls stays' : undefined;
  return left.trimStart().startsWith(content.trim()) && hasWords(left.trimStart().slice(content.trim().length))
    ? 'rule 6, words between calls stay'
    : undefined;
}

const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? {};
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};

/** Whether the calls of a text are as expected. */
export const hasCalls = ({ expected_calls }: RecordedText, { calls = [] }: DecodedText): boolean =>
  isDeepStrictEqual(
    calls.map(({ name, input }) => [name, input]),
    expected_calls.map((call) => [call.name, parsed(call.arguments)]),
  );

/** Whether the text for the user is as expected, where that counts. */
export const hasText = ({ content_strict, expected_content = '' }: RecordedText, { text = '' }: DecodedText): boolean =>
  !content_strict || text.trim() === expected_content.trim();
