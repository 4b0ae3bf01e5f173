import { permissions } from '../../src/execute/permission-rules.ts';
import type { RunFact } from '../../src/log/events.ts';
import type { CheckedCall } from '../../src/mend/mend-call.ts';
import type { CallPart, ModelRequest, Part, ResultPart } from '../../src/model/index.ts';
import type { ScriptedTurn } from '../../src/provider/scripted/script.ts';
import { serveScripted } from '../../src/provider/scripted/server.ts';
import type { InvokeOptions } from '../../src/run/invoke/types.ts';
import type { Toolbox } from '../../src/tools/toolbox.ts';
import type { Case } from './case.ts';
import { type Entrance, inputOf, type OpenEntrance, type Seen } from './entrance.ts';
import { wordsOf } from './invoking.ts';
import { type Stage, stage, toolboxOf } from './toolbox-of.ts';
import { kindsOf } from './wanted.ts';
import { withRuns } from './with-runs.ts';

/** What a conversation with a framework is made of. */
export interface Conversation {
  /** Where its model is served. */
  readonly url: string;
  readonly one: Case;
  /** What its own tools act on. */
  readonly on: Stage;
  readonly onCall: (call: CheckedCall) => void;
  /** The same tools in a toolbox, and how they run. */
  readonly toolbox: Toolbox;
  readonly running: Pick<InvokeOptions, 'permissions' | 'record'>;
}

/** Runs a conversation of a framework until its model has nothing more to call. */
export type Play = (conversation: Conversation) => Promise<unknown>;

/** What no adapter can do, whoever runs the tools. */
const cannot: Entrance['cannot'] = {
  stop: 'a stopped framework run returns no result',
  'stray words': 'text without a complete call to an available tool stays text',
  fallback: 'the framework treats a tool named `invalid` like any other tool',
};

const ownWay = 'the framework runs its own tools itself';

/** What can't be done while the framework's own tools run. */
export const ownTools: Entrance['cannot'] = {
  effects: "the framework's own tools don't declare their effects",
  rules: ownWay,
  deadline: ownWay,
  runs: ownWay,
};

/** What differs between frameworks. */
export interface FrameworkOptions extends Partial<Pick<Entrance, 'hides' | 'cannot' | 'differs'>> {
  /** The words of a result where the framework's client puts something around them. */
  readonly unwrap?: (words: string) => string;
}

/** A framework with its adapter, its own tools, and its own client on a real server that plays the cases. */
export const framework = (
  { name, column }: Pick<Entrance, 'name' | 'column'>,
  play: Play,
  { unwrap = (words) => words, ...more }: FrameworkOptions = {},
): Entrance => ({
  name,
  column,
  hides: {},
  ...more,
  cannot: { ...cannot, ...more.cannot },
  open: () => openFramework(play, unwrap),
});

const done = { text: 'Done.' };
// Where a server does not count, clients fetch what they need for counting from elsewhere.
const usage = { input: 1, output: 1 };

async function openFramework(play: Play, unwrap: (words: string) => string): Promise<OpenEntrance> {
  let asked: ModelRequest[] = [];
  let answer: (turn: number) => ScriptedTurn = () => done;
  const server = await serveScripted((question) => {
    asked.push(question);
    return answer(asked.length);
  });
  return {
    async run(one) {
      const { wrote, times = 1 } = one;
      const on = stage();
      const heard: CheckedCall[] = [];
      const failed = new Map<string, string>();
      const note = (fact: RunFact): void => {
        if (fact.type === 'call.denied') failed.set(fact.callId, 'denied');
        if (fact.type === 'tool.finished' && fact.errorType) failed.set(fact.callId, fact.errorType);
      };
      const running = {
        record: { note, commit: async (fact: RunFact) => note(fact) },
        ...(one.deny && { permissions: permissions({ deny: one.deny }) }),
      };
      asked = [];
      answer = (turn) => ({ ...(turn > times ? done : wrote), chunk: 7, usage });
      const onCall = (call: CheckedCall): unknown => heard.push(call);
      await play({ url: server.url, one, on, onCall, toolbox: toolboxOf(one, on), running });
      const next = asked[times];
      const last = heard.slice(heard.length - heard.length / times);
      // While calls stream, good ones are known before bad ones; the server numbers the ids it gives.
      if ('calls' in wrote) last.sort((before, after) => before.part.id.localeCompare(after.part.id));
      const seen = last.map((call) => seenOf(call, next, unwrap, failed.get(call.part.id)));
      return withRuns(seen, on.ran);
    },
    close: () => server.close(),
  };
}

const partsOf = (question: ModelRequest | undefined): Part[] =>
  question?.messages.flatMap(({ parts }): readonly Part[] => parts) ?? [];

/** What became of a call: as it was judged, and as the next question shows it to the model. */
function seenOf(
  { part, outcome, changed }: CheckedCall,
  next: ModelRequest | undefined,
  unwrap: (words: string) => string,
  failed: string | undefined,
): Seen {
  const parts = partsOf(next);
  const shown = parts.findLast((one) => one.type === 'call' && one.id === part.id) as CallPart | undefined;
  const result = parts.findLast((one) => one.type === 'result' && one.callId === part.id) as ResultPart | undefined;
  const words = unwrap(wordsOf(result));
  if (outcome.status === 'invalid') {
    const call = changed ? { name: part.name, input: inputOf(part.arguments) } : ('as written' as const);
    return { verdict: outcome.errorType, call, feedback: words };
  }
  const call = { name: shown?.name ?? 'not shown', input: inputOf(shown?.arguments) };
  return { verdict: failed ?? outcome.status, repairs: kindsOf(outcome), call, result: words };
}
