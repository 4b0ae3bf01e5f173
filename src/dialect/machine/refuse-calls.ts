import type { Problem } from '../../json/problem.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { onlyShape } from '../call/check-call.ts';
import { destroys, inferred } from '../placement/candidate.ts';
import { applyFaults } from './marker-faults.ts';
import { recheck } from './output.ts';
import type { Machine } from './state.ts';

/** A reason to refuse calls that only the complete message shows: which calls, and what the model reads about them. */
interface Reason {
  readonly calls: (m: Machine) => readonly Outcome[];
  readonly message: string;
  /** Whether the text around them may only mention the calls. For others, something is wrong with the calls themselves. */
  readonly mentioned?: boolean;
}

const isSound = ({ status }: Outcome): boolean => status !== 'invalid';
/** Whether a call is refused only because it is unsure that the text makes it. */
const isUnsure = ({ problems, repairs }: Outcome): boolean =>
  problems.every(({ code }) => code === 'not_exact') &&
  repairs.every(({ kind, certainty }) => kind === 'text' || certainty === 'lossless');
const mayDestroy = (call: Outcome): boolean => destroys(call) && (isSound(call) || isUnsure(call));
const mayChange = (call: Outcome): boolean => isSound(call) && call.tool?.effect !== 'read';
const isUnknown = (call: Outcome): boolean => call.status === 'invalid' && call.errorType === 'unknown_tool';

/**
 * Whether a call may depend on one that names no tool: in code, on a function such as `input()` or `exit()`, and without a named
 * dialect on a question or an approval that the model made up. Tools that only read can't do harm.
 */
const mayDependOnOthers = ({ lastForm, named }: Machine, call: Outcome): boolean =>
  isSound(call) && (lastForm?.body === 'python' ? call.tool?.effect !== 'read' : !named && destroys(call));

/** Whether a call only shows its own form, in placeholders or the names of types. */
const isShape = (call: Outcome): boolean => call.status === 'invalid' && call.problems.includes(onlyShape);

/** In order of precedence: only the first one that applies counts. */
const reasons: readonly Reason[] = [
  {
    // Markers around placeholders show how a call is written, and the calls beside it may be part of that.
    calls: ({ calls }) => (calls.some(isShape) ? calls.filter(isSound) : []),
    message:
      'Root object is next to a call that contains only placeholders or the names of types; send only calls with values',
    mentioned: true,
  },
  {
    calls: ({ twice, calls }) => (twice ? calls : []),
    message: 'Root object has a value that could end in two places, because its closing tag is repeated',
  },
  {
    // The same for JSON and Python: what follows looks like the rest of a string.
    calls: ({ tail, calls }) => (tail ? calls.filter(isSound) : []),
    message: 'Root object has a value that could end in two places; escape every quote inside its strings',
  },
  {
    // Text between the closers of a call, or between the calls of a section, may be part of one of them, and text that ends
    // like a call is one whose opener was lost.
    calls: ({ stray, calls }) => (stray ? calls.filter(isSound) : []),
    message:
      'Root object is next to text that may be part of a call, because a marker is missing or out of place; write each marker once',
  },
  {
    // The model wrote the turn of a user or the result of a tool, and continued from what it made up.
    calls: ({ turnedAt, count, calls, toolbox }) =>
      toolbox && turnedAt !== undefined ? calls.slice(count === calls.length ? turnedAt : 0).filter(mayChange) : [],
    message: 'Root object follows a turn of another role that the model made up; wait for the real one',
    mentioned: true,
  },
  {
    calls: (m) => (m.toolbox && m.calls.some(isUnknown) ? m.calls.filter((call) => mayDependOnOthers(m, call)) : []),
    message:
      'Root object is next to a call to an unknown tool, which may decide about it; send only calls to known tools',
  },
  {
    // A missing closer before other text may be what the text is about.
    calls: ({ followed, faults, calls }) =>
      followed && faults.some(({ repair }) => repair.kind === 'closer') ? calls.filter(mayChange) : [],
    message:
      'Root object lacks its closing marker and is followed by text; close the call, and end the message with it',
    mentioned: true,
  },
  {
    // Text after plain markers may explain a call, ask about it or take it back.
    calls: ({ followed, plain, calls }) => (followed && plain ? calls.filter(mayDestroy) : []),
    message: 'Root object is followed by text, and the tool is destructive; to call it, end the message with the call',
    mentioned: true,
  },
  {
    // Without a named dialect, words may ask about a call, deny it or put it off in any language.
    calls: ({ spoke, named, calls }) => (spoke && !named ? calls.filter(mayDestroy) : []),
    message: 'Root object is next to text, and the tool is destructive; to call it, send the call alone',
    mentioned: true,
  },
];

/** Refuses calls because of the rest of their message, when it is complete. Calls in reasoning are inferred. */
export function refuseCalls(m: Machine): void {
  m.refused = applyFaults(m);
  const all = { outcomes: m.calls, events: m.events };
  for (const { calls, message, mentioned } of reasons) {
    const refused = calls(m);
    const problem: Problem = { path: [], code: mentioned ? 'mentioned' : 'ambiguous', message };
    if (refused.length > 0) {
      m.refused = after(
        m.refused,
        recheck(m, all, () => ({ found: [problem] }), refused),
      );
      return;
    }
  }
  if (m.mused) m.refused = after(m.refused, recheck(m, all, inferred));
}

/** Results that replace others after some were replaced already. */
function after(
  first: ReadonlyMap<Outcome, Outcome> | undefined,
  next: ReadonlyMap<Outcome, Outcome>,
): ReadonlyMap<Outcome, Outcome> {
  const made = new Map(next);
  for (const [call, result] of first ?? []) made.set(call, next.get(result) ?? result);
  return made;
}
