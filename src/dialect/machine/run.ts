import type { Problem } from '../../json/problem.ts';
import { recheckCall } from '../call/check-call.ts';
import { checkStrayCloser } from '../grammar/closers.ts';
import { closeCandidate, logUpTo, settleWaiting } from '../placement/candidate.ts';
import { stepFrame } from './frame.ts';
import { stepAfter, stepJson } from './json.ts';
import { stepPlainBody } from './plain-body.ts';
import { stepPython } from './python.ts';
import { stepThink } from './reasoning.ts';
import type { Machine } from './state.ts';
import { stepTagged } from './tagged.ts';
import { stepText } from './text.ts';

const steps: Readonly<Record<Machine['mode'], (m: Machine) => boolean>> = {
  ...{ text: stepText, think: stepThink, frame: stepFrame, json: stepJson, tagged: stepTagged },
  ...{ python: stepPython, word: stepPlainBody, after: stepAfter },
};

/** Moves a machine along as far as its text decides. */
export function runMachine(m: Machine): void {
  while (m.at < m.buffer.length || (m.ended && m.body)) {
    const { mode, at } = m;
    const outside = m.closers.size > 0 && m.body === undefined;
    const more = steps[mode](m);
    if (outside) m.outside += m.buffer.slice(at, m.at);
    if (outside && m.body) checkStrayCloser(m);
    if (!more) return;
  }
}

/** Ends a text: reads what is left, and says of everything that waited what it was. */
export function endMachine(m: Machine): void {
  m.ended = true;
  runMachine(m);
  closeCandidate(m, m.base + m.at);
  settleWaiting(m);
  checkStrayCloser(m);
  if (m.twice) refuseAll(m);
}

/** A value that could end at two places: nobody knows what is a call and what stood in a value, so that none runs. */
function refuseAll(m: Machine): void {
  const made = new Map(m.calls.map((one) => [one, recheckCall(one, { found: [torn] }, m.toolbox)]));
  m.refused = made;
  m.calls = m.calls.map((one) => made.get(one) ?? one);
  m.events = m.events.map((event) =>
    event.type === 'call.finished' ? { ...event, outcome: made.get(event.outcome) ?? event.outcome } : event,
  );
}

const torn: Problem = {
  path: [],
  code: 'ambiguous',
  message: 'Root object holds a value that could end at two places, since its closing tag stands in the text again',
};

/** Reads what was passed on as it came; all of it is inside one value, so that nothing more is to be said of it. */
export function settleMachine(m: Machine): void {
  if (m.quiet === '' || m.rest?.says === 'undecided') return;
  logUpTo(m, m.buffer.length);
  m.buffer = m.quiet;
  m.at = 0;
  m.quiet = '';
  m.told = !m.candidate || m.candidate.confirmed;
  steps[m.mode](m);
  m.told = false;
}
