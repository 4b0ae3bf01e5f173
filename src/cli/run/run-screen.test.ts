import { describe, expect, it } from 'vitest';
import type { RunFact } from '../../log/events.ts';
import type { StreamedEvent } from '../../log/subscribe.ts';
import type { CallPart } from '../../model/index.ts';
import { colour } from '../terminal/colour.ts';
import { RunScreen } from './run-screen.ts';

const call: CallPart = { type: 'call', id: 'c1', name: 'look', arguments: '{"at":"a"}' };
const run = 'r1';

/** Draws these events, numbered, and gives what is on the page. */
function drawn(
  events: readonly (RunFact | StreamedEvent)[],
  options: { live?: boolean; whole?: boolean } = {},
): string {
  let text = '';
  const page = { paint: colour({}, {}), width: 60 };
  const screen = new RunScreen(
    (piece) => {
      text += piece;
    },
    { page, ...options },
  );
  for (const [index, event] of events.entries()) screen.show({ run, seq: index + 1, at: 0, ...event } as StreamedEvent);
  return text;
}

const answered = (...parts: (typeof call | { type: 'text'; text: string })[]): RunFact => ({
  type: 'turn.completed',
  turn: 1,
  response: { message: { role: 'assistant', parts }, finish: 'stop' },
});
const result = (text: string) =>
  ({ type: 'result', callId: 'c1', content: [{ type: 'text', text }], isError: false }) as const;

describe('RunScreen', () => {
  it('draws words that were not heard live, and none twice', () => {
    expect(drawn([answered({ type: 'text', text: 'Hello.' })])).toBe('Hello.\n');
    const grew: StreamedEvent = { type: 'text.delta', run, turn: 1, text: 'Hello.' };
    expect(drawn([grew, answered({ type: 'text', text: 'Hello.' })])).toBe('Hello.\n');
  });

  it('shows broken turns, unknown names and late results', () => {
    const response = { message: { role: 'assistant', parts: [] }, finish: 'error' } as const;
    const error = { kind: 'server', message: 'It fell\u0007 over', retryable: true } as const;
    const page = drawn([
      { type: 'turn.failed', turn: 1, error, response },
      { type: 'call.ignored', turn: 1, call: { id: 'x', name: '⚙', arguments: '' } },
      { type: 'tool.orphaned', callId: 'c1', name: 'look', outcome: 'late' },
      { type: 'run.halted', run, message: 'The log could not be written: full' },
    ]);
    expect(page).toBe(`the model request failed: It fell\\u0007 over
ignored a call without a usable tool name: "⚙"
look finished after it was abandoned: late
The log could not be written: full
`);
  });

  it('shows how far a tool is, in place, and then what it gave, shortened', () => {
    const judged = { callId: 'c1', call, name: 'look', input: { at: 'a' }, repairs: [] };
    const page = drawn(
      [
        answered(call),
        { type: 'call.accepted', ...judged },
        {
          type: 'tool.started',
          callId: 'c1',
          name: 'look',
          input: { at: 'a' },
          key: 'k',
          effect: 'read',
          repeat: 'once',
        },
        { type: 'tool.progressed', run, callId: 'c1', progress: { message: 'page', done: 2, total: 9 } },
        { type: 'tool.finished', callId: 'c1', name: 'look', ok: true, result: result('1\n2\n\n3\n4\n5'), ms: 7 },
      ],
      { live: true },
    );
    const up = '\u001b[1A\u001b[J';
    expect(page.split(up)).toEqual([
      '◌ look {"at":"a"}  pending\n',
      '● look {"at":"a"}  running\n',
      '● look {"at":"a"}  running, page 2 of 9\n',
      '✓ look {"at":"a"}  7 ms\n  │ 1\n  │ 2\n  │ 3\n  │ …\n',
    ]);
  });

  it('buffers events while the user is asked, and draws them afterwards', () => {
    let text = '';
    const page = { paint: colour({}, {}), width: 60 };
    const screen = new RunScreen(
      (piece) => {
        text += piece;
      },
      { page },
    );
    screen.hold();
    screen.show({ type: 'text.delta', run, turn: 1, text: 'Later ' });
    text += '? yes\n';
    screen.release();
    expect(text).toBe('? yes\n\nLater ');
  });

  it('shows user messages and the origin of a fork for a past run', () => {
    const message = { role: 'user', parts: [{ type: 'text', text: 'Look at it' }] } as const;
    const model = { name: 'm', provider: 'p' };
    const events: RunFact[] = [
      { type: 'run.started', model, tools: [], from: { run: 'r0', seq: 4 } },
      { type: 'message.added', message },
      { type: 'run.ended', end: 'steps', message: 'The run used all its turns' },
    ];
    expect(drawn(events, { whole: true })).toBe(
      'r1: m (p), forked from r0 at 4\n\n› Look at it\n\nThe run used all its turns\nsteps after 0 turns: 0 calls\n',
    );
    expect(drawn(events)).toBe('The run used all its turns\nsteps after 0 turns: 0 calls\n');
  });
});
