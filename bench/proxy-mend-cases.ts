/** Faults of a scripted upstream: damaged native calls, calls written as text, and servers that fail on calls. */

import { dialects } from '../src/dialect/dialects/index.ts';
import { renderCalls } from '../src/dialect/render.ts';
import type { ModelRequest } from '../src/model/index.ts';
import type { ServedTurn } from '../src/provider/scripted/script.ts';
import { aroundKinds } from '../test/damage/damages-around.ts';
import { combinedKinds } from '../test/damage/damages-combined.ts';
import { cutKinds } from '../test/damage/damages-cut.ts';
import { goodKinds } from '../test/damage/damages-good.ts';
import { keyKinds } from '../test/damage/damages-keys.ts';
import { literalKinds } from '../test/damage/damages-literals.ts';
import { nameKinds } from '../test/damage/damages-names.ts';
import { punctuationKinds } from '../test/damage/damages-punctuation.ts';
import { scalarKinds } from '../test/damage/damages-scalars.ts';
import { shapeKinds } from '../test/damage/damages-shapes.ts';
import { stringKinds } from '../test/damage/damages-strings.ts';
import { unionKinds } from '../test/damage/damages-unions.ts';
import { wholeKinds } from '../test/damage/damages-whole.ts';
import type { Kind } from '../test/damage/kind.ts';
import { subjects } from '../test/damage/schemas.ts';
import { trialsOf } from '../test/damage/tally.ts';
import type { Trial } from '../test/damage/trial.ts';

/** A call that a model intends, and what its server sends. */
export interface BadCase {
  readonly group: string;
  readonly tools: Trial['tools'];
  readonly tool: Trial['tool'];
  readonly expected: unknown;
  answer(question: ModelRequest): ServedTurn;
}

const groups: Readonly<Record<string, readonly Kind[]>> = {
  'valid calls': goodKinds,
  'punctuation, quotes and escapes': [...punctuationKinds, ...stringKinds, ...literalKinds],
  'text and tokens around the call': aroundKinds,
  'types, shapes and unions': [...scalarKinds, ...shapeKinds, ...unionKinds, ...wholeKinds],
  'keys and names': [...keyKinds, ...nameKinds],
  'several faults in one call': combinedKinds,
  'missing closing brackets': cutKinds,
};

/** What the rules refuse, because no reading is certain. */
export const unsure = 'truncated or ambiguous';
const groupOf = (group: string, { expect }: Kind): string =>
  expect === 'refused' || expect === 'safe' ? unsure : group;

/** A few trials of a kind, on tools that lie apart. */
const some = (kind: Kind, count: number): Trial[] => {
  const all = [...trialsOf(kind, { subjects, tries: 1, seed: 1 })];
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, at) => at % step === 0).slice(0, count);
};

const native = ({ call }: Trial): ServedTurn => ({
  text: 'Let me see.',
  chunk: 4,
  finish: call.finishReason ?? 'tool_calls',
  calls: [{ id: 'call_1', name: call.name, arguments: textOf(call.arguments) }],
});

const textOf = (given: unknown): string => (typeof given === 'string' ? given : JSON.stringify(given ?? {}));

const caseOf = (group: string, trial: Trial, answer: BadCase['answer']): BadCase => ({
  group,
  tools: trial.tools,
  tool: trial.tool,
  expected: trial.expected,
  answer,
});

const sound = goodKinds.flatMap((kind) => some(kind, 2)).filter(({ want }) => want === 'recover');
const at = (index: number): Trial => sound[index % sound.length] as Trial;

/** Calls written as text, in every dialect with markers. */
const inText = dialects
  .filter(({ manual }) => !manual)
  .flatMap(({ name }, index) =>
    [0, 1, 2].flatMap((more) => {
      const trial = at(index + more);
      try {
        const written = renderCalls([{ name: trial.tool.name, arguments: trial.expected as never }], name);
        return [caseOf('written as text', trial, () => ({ text: written, chunk: 4 }))];
      } catch {
        return [];
      }
    }),
  );

const json = { 'content-type': 'application/json' };
const unread = ({ tool, expected }: Trial): ServedTurn => {
  const raw = JSON.stringify({ name: tool.name, arguments: expected }).replace(/\}$/, ',}');
  const message = `error parsing tool call: raw='${raw}', err=invalid character`;
  return { raw: JSON.stringify({ error: { message, type: 'api_error' } }), status: 500, headers: json };
};
const untooled = ({ tool, expected }: Trial, { tools = [] }: ModelRequest): ServedTurn => {
  const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
  if (tools.length > 0) return { raw: JSON.stringify({ error: { message, code: 400 } }), status: 400, headers: json };
  return { text: `<tool_call>${JSON.stringify({ name: tool.name, arguments: expected })}</tool_call>`, chunk: 4 };
};

/** Every case, group by group. */
export const badCases = (perKind: number): BadCase[] => [
  ...Object.entries(groups).flatMap(([group, kinds]) =>
    kinds.flatMap((kind) =>
      some(kind, perKind).map((trial) => caseOf(groupOf(group, kind), trial, () => native(trial))),
    ),
  ),
  ...inText,
  ...sound.map((trial) => caseOf('rejected by the server', trial, () => unread(trial))),
  ...sound.map((trial) => caseOf('rejected by the server', trial, (question) => untooled(trial, question))),
];
