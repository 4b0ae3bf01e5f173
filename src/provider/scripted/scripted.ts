import type { AssistantPart, Model, ModelRequest, TurnError, TurnEvent, TurnResponse } from '../../model/index.ts';
import { abortable, pause } from '../client/abort.ts';
import { failedTurn } from '../wire/errors.ts';
import { eventsOf, type Slot, TurnAssembler } from '../wire/turn-assembler.ts';
import { checkIsScript, type Play, type Script, type ScriptedTurn } from './script.ts';

/** Options of a scripted model. */
export interface ScriptedOptions {
  /**
   * Name of the model.
   * @default 'scripted'
   */
  readonly model?: string;
}

/**
 * Creates a model that plays scripted or recorded turns: each request gets the next turn. For tests, demos and offline
 * work.
 *
 * @example
 * const model = scripted([
 *   { calls: [{ name: 'read_file', arguments: '{"path": "a.ts"}' }] },
 *   'It is empty.',
 * ]);
 */
export function scripted(script: Script, { model = 'scripted' }: ScriptedOptions = {}): Model {
  checkIsScript(script);
  let turns = 0;
  return {
    name: model,
    provider: 'scripted',
    stream(question, { signal } = {}) {
      const turn = turns;
      turns += 1;
      return abortable((own) => asRead(played(script, question, turn, model, own)), signal);
    },
  };
}

async function* played(
  script: Script,
  question: ModelRequest,
  turn: number,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const play = typeof script === 'function' ? await script(question, turn) : script[turn];
  if (play === undefined) yield failedTurn(scriptIsOver(turn));
  else yield* playTurn(play, question.model ?? model, turn, signal);
}

/** The error for a request after the last turn. */
export const scriptIsOver = (turns: number): TurnError => ({
  kind: 'request',
  message: `The script is over: it has ${turns} ${turns === 1 ? 'turn' : 'turns'}, but another one was requested`,
  retryable: false,
});

/**
 * Converts events to those a provider's reader would emit: without unnamed calls, with unique ids, and with the partial
 * response on failure.
 */
async function* asRead(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent> {
  let made: TurnEvent[] = [];
  // The format matters only for passthrough fields, which a script doesn't have.
  const assembly = new TurnAssembler('openai-chat', (event) => made.push(event));
  const slots: Slot[] = [];
  for await (const event of events) {
    play(assembly, slots, event);
    const out = made;
    made = [];
    yield* out;
  }
}

function play(assembly: TurnAssembler, slots: Slot[], event: TurnEvent): void {
  const slot = 'index' in event ? slots[event.index] : undefined;
  if (event.type === 'turn.started') {
    const { type: _, ...start } = event;
    assembly.start(start);
  } else if (event.type === 'part.started') slots[event.index] = assembly.open(event.part);
  else if (event.type === 'part.delta' && slot) assembly.grow(slot, event.text);
  else if (event.type === 'part.finished' && slot) {
    const part = event.part.type === 'call' ? { ...event.part, id: (slot.part as { id: string }).id } : event.part;
    assembly.close(slot, part);
  } else if (event.type === 'turn.failed') assembly.fail(event.error);
  else if (event.type === 'turn.finished') assembly.finish(event.response);
}

/** Plays one turn of a script at its pace, without normalizing it. */
export async function* playTurn(
  play: Play,
  model: string,
  turn: number,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const { delay = 0, pace = 0, chunk, error } = mannerOf(play);
  const response = responseOf(play, model, turn);
  if (delay > 0) await pause(delay, signal);
  if (error && response.message.parts.length === 0) return yield failedTurn(failureOf(error));
  for (const event of eventsOf(response, chunk)) {
    if (pace > 0 && event.type === 'part.delta') await pause(pace, signal);
    if (signal.aborted) return yield failedTurn(aborted);
    yield error && event.type === 'turn.finished' ? failedTurn(failureOf(error)) : event;
  }
}

const mannerOf = (play: Play): ScriptedTurn => (typeof play === 'string' || 'message' in play ? {} : play);

const failureOf = (error: NonNullable<ScriptedTurn['error']>): TurnError => ({
  kind: 'server',
  retryable: false,
  ...error,
});

const aborted: TurnError = { kind: 'aborted', message: 'The turn was aborted', retryable: false };

/**
 * Builds the response of a scripted turn.
 *
 * @param turn number of the turn, used in the ids of calls without one
 */
function responseOf(play: Play, model: string, turn: number): TurnResponse {
  if (typeof play === 'string') return responseOf({ text: play }, model, turn);
  if ('message' in play) return play;
  const parts = play.parts ?? partsOf(play, turn);
  return {
    id: play.id ?? `turn_${turn + 1}`,
    model,
    message: { role: 'assistant', parts },
    finish: play.finish ?? (parts.some(({ type }) => type === 'call') ? 'tool_calls' : 'stop'),
    ...(play.usage && { usage: play.usage }),
  };
}

function partsOf({ reasoning, text, calls = [] }: ScriptedTurn, turn: number): AssistantPart[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map((call, index) => ({
      type: 'call' as const,
      id: `call_${turn + 1}_${index + 1}`,
      arguments: '{}',
      ...call,
    })),
  ];
}
