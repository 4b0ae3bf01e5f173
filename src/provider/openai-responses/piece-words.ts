import type { JsonObject } from '../../json/value.ts';
import type { AssistantPart } from '../../turn/turn.ts';
import { ownFields } from './format.ts';

/** The names of the events that tell a part's words. */
export interface PieceWords {
  /** It begins, where the wire announces that. */
  readonly begun?: string;
  readonly grew: string;
  readonly whole: string;
  readonly ended?: string;
  /** The field that holds its place in its item. */
  readonly at?: 'content_index' | 'summary_index';
  /** The field that holds its words once they are whole. */
  readonly field: string;
  /** What stands beside its words. */
  readonly beside: JsonObject;
  /** The part with these words. */
  readonly part: (text: string) => JsonObject;
}

const inContent = { begun: 'response.content_part.added', ended: 'response.content_part.done' };

const words = {
  text: {
    ...inContent,
    grew: 'response.output_text.delta',
    whole: 'response.output_text.done',
    at: 'content_index',
    field: 'text',
    beside: { logprobs: [] },
    part: (text) => ({ type: 'output_text', text, annotations: [], logprobs: [] }),
  },
  refusal: {
    ...inContent,
    grew: 'response.refusal.delta',
    whole: 'response.refusal.done',
    at: 'content_index',
    field: 'refusal',
    beside: {},
    part: (text) => ({ type: 'refusal', refusal: text }),
  },
  summary: {
    begun: 'response.reasoning_summary_part.added',
    grew: 'response.reasoning_summary_text.delta',
    whole: 'response.reasoning_summary_text.done',
    ended: 'response.reasoning_summary_part.done',
    at: 'summary_index',
    field: 'text',
    beside: {},
    part: (text) => ({ type: 'summary_text', text }),
  },
  thought: {
    ...inContent,
    grew: 'response.reasoning_text.delta',
    whole: 'response.reasoning_text.done',
    at: 'content_index',
    field: 'text',
    beside: {},
    part: (text) => ({ type: 'reasoning_text', text }),
  },
  arguments: {
    grew: 'response.function_call_arguments.delta',
    whole: 'response.function_call_arguments.done',
    field: 'arguments',
    beside: {},
    part: () => ({}),
  },
} satisfies Record<string, PieceWords>;

/** The events a part is told by; none for a part that comes in one piece. */
export function piecesOf(part: AssistantPart): PieceWords | undefined {
  if (part.type === 'call') return words.arguments;
  if (part.type === 'text' || part.type === 'refusal') return words[part.type];
  if (part.type !== 'reasoning') return undefined;
  return ownFields(part)?.content === undefined ? words.summary : words.thought;
}
