/** Plays trials of the damage table to an agent, and keeps what its tools received. */
import { memoryStore } from '../../src/log/memory-store.ts';
import type { FinishReason, Model, ResultPart } from '../../src/model/index.ts';
import { agent } from '../../src/run/agent.ts';
import type { Run } from '../../src/run/run.ts';
import { toolFromMcp } from '../../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import type { Definition } from '../damage/definition.ts';
import { sameJson, type Trial } from '../damage/trial.ts';

/** What a tool got, and in which call. */
export interface Received {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
}

/** What of a call must reach a tool, if anything does. */
export type Intended = ReadonlyMap<string, { readonly name: string; readonly input: unknown }>;

/** An agent whose tools only write down what they get. */
export function trialRun(tools: readonly Definition[], model: Model): { run: Run; received: Received[] } {
  const received: Received[] = [];
  const made = tools.map((definition) =>
    toolFromMcp(definition, {
      trusted: true,
      execute: (input, { callId = '' }) => {
        received.push({ callId, name: definition.name, input });
        return `result ${received.length}`;
      },
    }),
  );
  const toolbox = new Toolbox(made, { validate: false });
  return { run: agent({ model, tools: toolbox, store: memoryStore(), redact: false }).run('Go on.'), received };
}

/** What went wrong in a run, in words; nothing where every call had its one result and only what was meant ran. */
export function faultsOf(run: Run, received: readonly Received[], intended: Intended): string[] {
  const faults: string[] = [];
  const answered = run
    .messages()
    .flatMap(({ parts }) => parts.filter((part): part is ResultPart => part.type === 'result'))
    .map(({ callId }) => callId);
  const called = run.calls().map(({ callId }) => callId);
  if (!sameJson(answered, called)) faults.push(`calls ${called.join()} have the results ${answered.join()}`);
  for (const { callId, name, input } of received) {
    const meant = intended.get(callId);
    if (meant?.name !== name || !sameJson(meant.input, input))
      faults.push(`${callId} ran ${name}(${JSON.stringify(input)}), meant was ${JSON.stringify(meant)}`);
  }
  if (new Set(received.map(({ callId }) => callId)).size < received.length) faults.push('a call ran twice');
  return faults;
}

/** The call of a trial as a script says it, under an id. */
export const damagedCall = ({ call }: Trial, id: string) => ({ id, name: call.name, arguments: call.arguments });

/** The same call as it was meant, written well. */
export const goodCall = ({ tool, expected }: Trial, id: string) => ({
  id,
  name: tool.name,
  arguments: JSON.stringify(expected),
});

/** How a message that holds the trial's call ends. */
export const finishOf = ({ call }: Trial): { finish?: FinishReason } =>
  call.finishReason ? { finish: call.finishReason } : {};
