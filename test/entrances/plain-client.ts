/** Clients as anybody writes them by a provider's page: they read what the page says, and forgive nothing. */
import type { Format } from '../../src/model/index.ts';

/** What arrived: the words, and calls with arguments as the wire has them. */
export interface Arrived {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
}

// biome-ignore lint/suspicious/noExplicitAny: a plain client takes the provider's word for the form of an answer.
type Wire = any;
interface Reading {
  text: string;
  readonly calls: Map<number, { name: string; arguments: Wire }>;
}

interface Reader {
  whole(body: Wire, into: Reading): void;
  frame(data: Wire, into: Reading): void;
}

/** Reads a whole answer, or a stream of one. */
export function readArrived(format: Format, body: string, streamed: boolean): Arrived {
  const into: Reading = { text: '', calls: new Map() };
  const reader = readers[format];
  if (streamed) for (const data of framesOf(body)) reader.frame(data, into);
  else reader.whole(JSON.parse(body), into);
  return { text: into.text, calls: [...into.calls.values()] };
}

const framesOf = (body: string): Wire[] =>
  body
    .split('\n')
    .map((line) => (line.startsWith('{') ? line : line.startsWith('data: ') ? line.slice(6) : ''))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

const add = ({ calls }: Reading, name: string, given: Wire): unknown =>
  calls.set(calls.size, { name, arguments: given });

/** The call that was begun under a number; one that was not is a fault of the stream. */
function begun({ calls }: Reading, at: number): { name: string; arguments: Wire } {
  const call = calls.get(at);
  if (!call) throw new Error(`Arguments came for call ${at}, which was not begun`);
  return call;
}

const geminiParts = (body: Wire, into: Reading): void => {
  for (const { text = '', functionCall } of body.candidates?.[0]?.content?.parts ?? []) {
    into.text += text;
    if (functionCall) add(into, functionCall.name, functionCall.args ?? {});
  }
};

const ollamaMessage = ({ message }: Wire, into: Reading): void => {
  into.text += message?.content ?? '';
  for (const { function: called } of message?.tool_calls ?? []) add(into, called.name, called.arguments);
};

const readers: Readonly<Record<Format, Reader>> = {
  'openai-chat': {
    whole({ choices: [{ message }] }, into) {
      into.text = message.content ?? '';
      for (const { function: called } of message.tool_calls ?? []) add(into, called.name, called.arguments);
    },
    frame({ choices: [choice] }, into) {
      into.text += choice?.delta.content ?? '';
      for (const { index, id, function: called } of choice?.delta.tool_calls ?? []) {
        if (id) into.calls.set(index, { name: called.name, arguments: called.arguments ?? '' });
        else begun(into, index).arguments += called.arguments ?? '';
      }
    },
  },
  'openai-responses': {
    whole({ output }, into) {
      for (const item of output) {
        if (item.type === 'function_call') add(into, item.name, item.arguments);
        for (const { text = '' } of item.content ?? []) into.text += text;
      }
    },
    frame({ type, delta, item, output_index: at }, into) {
      if (type === 'response.output_text.delta') into.text += delta;
      if (type === 'response.output_item.added' && item.type === 'function_call') {
        into.calls.set(at, { name: item.name, arguments: '' });
      } else if (type === 'response.function_call_arguments.delta') begun(into, at).arguments += delta;
      else if (type === 'response.output_item.done' && item.type === 'function_call') {
        const { name, arguments: given } = begun(into, at);
        // Some clients read the pieces and others the whole: both must say the same.
        if (name !== item.name || given !== item.arguments) throw new Error(`${given} became ${item.arguments}`);
      }
    },
  },
  anthropic: {
    whole({ content }, into) {
      for (const block of content) {
        if (block.type === 'tool_use') add(into, block.name, block.input);
        into.text += block.text ?? '';
      }
    },
    frame({ type, index, content_block: block, delta }, into) {
      if (type === 'content_block_start' && block.type === 'tool_use') {
        into.calls.set(index, { name: block.name, arguments: block.input });
      } else if (delta?.type === 'text_delta') into.text += delta.text;
      else if (delta?.type === 'input_json_delta') {
        const call = begun(into, index);
        call.arguments = (typeof call.arguments === 'string' ? call.arguments : '') + delta.partial_json;
      }
    },
  },
  gemini: { whole: geminiParts, frame: geminiParts },
  ollama: { whole: ollamaMessage, frame: ollamaMessage },
};
