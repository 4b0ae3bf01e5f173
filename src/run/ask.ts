import { history } from '../log/history.ts';
import type { Question, ToolSpec, TurnEvent, TurnFailed, TurnFinished } from '../turn/turn.ts';
import type { RunContext } from './run-context.ts';

/** Asks the model for its next answer, and passes on what comes while it comes. */
export async function ask(context: RunContext): Promise<TurnFinished | TurnFailed> {
  const { model, state, journal, signal, interrupt } = context;
  const turn = state.turn + 1;
  journal.note({ type: 'turn.asked', turn });
  const stop = AbortSignal.any([signal, interrupt()]);
  const live = liveWords(context, turn);
  try {
    for await (const event of model.answer(question(context), { signal: stop })) {
      if (event.type === 'turn.finished' || event.type === 'turn.failed') return event;
      live(event);
    }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error), stop.aborted);
  }
  return failed('The model ended without an answer', stop.aborted);
}

const failed = (message: string, aborted: boolean): TurnFailed => ({
  type: 'turn.failed',
  error: { kind: aborted ? 'aborted' : 'protocol', message, retryable: false },
  response: { message: { role: 'assistant', parts: [] }, finish: 'error' },
});

/** What the model is asked. A tool that has one try left is asked for alone. */
function question({ state, instructions, tools, tally, settings }: RunContext): Question {
  const alone = tools.find(({ name }) => name === tally.lastTry());
  const offered: readonly ToolSpec[] = alone ? [alone] : tools;
  const system = instructions
    ? [{ role: 'system' as const, parts: [{ type: 'text' as const, text: instructions }] }]
    : [];
  return {
    ...settings,
    messages: [...system, ...history(state)],
    ...(offered.length > 0 && { tools: offered }),
    ...(alone && { toolChoice: { tool: alone.name } }),
  };
}

/** The live events of one turn. */
function liveWords({ id: run, live }: RunContext, turn: number): (event: TurnEvent) => void {
  const parts = new Map<number, { readonly type: string; readonly callId: string }>();
  return (event) => {
    if (event.type === 'part.started') {
      const { part, index } = event;
      parts.set(index, { type: part.type, callId: part.type === 'call' ? part.id : '' });
      if (part.type === 'call') live({ type: 'call.started', run, turn, callId: part.id, name: part.name });
    } else if (event.type === 'part.grew') {
      const { type, callId } = parts.get(event.index) ?? { type: 'text', callId: '' };
      const { text } = event;
      if (type === 'call') live({ type: 'call.grew', run, turn, callId, text });
      else live({ type: type === 'reasoning' ? 'reasoning.grew' : 'text.grew', run, turn, text });
    }
  };
}
