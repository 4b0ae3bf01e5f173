import { describe, expect, it } from 'vitest';
import type { CheckedCall } from '../mend/mend-call.ts';
import type { AssistantPart, FinishReason, TurnEvent, TurnResponse } from '../model/index.ts';
import { eventsOf } from '../provider/wire/turn-assembler.ts';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { mendTurn, turnMender } from './mend-turn.ts';
import { pastFeedback } from './past-feedback.ts';

const toolbox = new Toolbox([
  tool({
    name: 'read_file',
    description: 'Reads a file',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        limit: { type: 'integer' },
        lines: { type: 'array', items: { type: 'integer' } },
      },
      required: ['path'],
      additionalProperties: false,
    },
  }),
]);

const call = (args: unknown, name = 'read_file'): AssistantPart => ({ type: 'call', id: 'c1', name, arguments: args });
const text = (words: string): AssistantPart => ({ type: 'text', text: words });
const turn = (parts: AssistantPart[], finish: FinishReason = 'tool_calls'): TurnResponse => ({
  message: { role: 'assistant', parts },
  finish,
});

/** What a listener has of each part when the answer is over. */
function heard(events: readonly TurnEvent[]): { parts: AssistantPart[]; grown: string[] } {
  const parts: AssistantPart[] = [];
  const grown: string[] = [];
  for (const event of events) {
    if (event.type === 'part.started') grown[event.index] = '';
    else if (event.type === 'part.delta') grown[event.index] += event.text;
    else if (event.type === 'part.finished') parts[event.index] = event.part;
  }
  return { parts, grown };
}

const answers: Record<string, TurnResponse> = {
  'a good call': turn([call('{"path": "a.ts", "limit": 5}')]),
  'a call with its name and its arguments mended': turn([call("{path: 'a.ts', limit: '5',}", 'Read-File')]),
  'a fault late in the arguments': turn([text('Let me see. '), call('{"path": "a.ts", "lines": "[1, 2]"}')]),
  'a call that lacks its last brace': turn([call('{"path": "a.ts"')], 'stop'),
  'a call that was cut off': turn([call('{"path": "a.t')], 'length'),
  'a call cut off behind its last field': turn([call('{"path": "a.ts", "limit": 5')], 'length'),
  'a call without what it needs': turn([call('{"limit": 5}')]),
  'a tool there is none of': turn([call('{"path": "a.ts"}', 'launch_rocket')]),
  'arguments as a value': turn([call({ path: 'a.ts', limit: '5' })]),
  'two calls': turn([
    call('{"path": "a.ts"}'),
    { ...call('{"path": "b.ts", "limit": "7"}'), id: 'c2' } as AssistantPart,
  ]),
  'words alone': turn([text('Nothing to be done: a < b, {x} and [y].')], 'stop'),
  'a call in words': turn(
    [text('I look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts", "limit": "5"}}\n</tool_call>')],
    'stop',
  ),
};

describe('TurnMender', () => {
  for (const [what, answer] of Object.entries(answers))
    it.each([1, 3, 7, 1000])(`reads ${what} in chunks of %i like the complete response`, (chunk) => {
      const mender = turnMender(toolbox);
      const events = [...eventsOf(answer, chunk)].flatMap((event) => mender.take(event));
      const { response } = mendTurn(answer, toolbox);
      const last = events.at(-1);
      const bare = (parts: readonly AssistantPart[]) =>
        parts.map((part) => (part.type === 'call' ? { ...part, id: '' } : part));
      expect(last?.type === 'turn.finished' && bare(last.response.message.parts)).toEqual(bare(response.message.parts));
      expect(last?.type === 'turn.finished' && last.response.finish).toBe(response.finish);
      const { parts, grown } = heard(events);
      expect(bare(parts)).toEqual(bare(response.message.parts));
      for (const [index, part] of parts.entries()) {
        const words = part.type === 'call' ? part.arguments : 'text' in part ? part.text : '';
        if (part.type !== 'call') expect(grown[index]).toBe(words);
        else if (typeof words !== 'string') expect(JSON.parse(grown[index] as string)).toEqual(words);
        else expect(readable(grown[index] as string)).toEqual(readable(words));
      }
    });

  it('forwards text and valid arguments as they stream', () => {
    const mender = turnMender(toolbox);
    const said = (event: TurnEvent) => mender.take(event).length;
    expect(said({ type: 'part.started', index: 0, part: text('') })).toBe(1);
    expect(said({ type: 'part.delta', index: 0, text: 'I look. ' })).toBe(1);
    expect(said({ type: 'part.started', index: 1, part: call('') })).toBe(1);
    expect(said({ type: 'part.delta', index: 1, text: '{"path": "a long na' })).toBe(1);
    expect(said({ type: 'part.delta', index: 1, text: 'me' })).toBe(1);
    expect(said({ type: 'part.delta', index: 1, text: '", "limit": "5' })).toBe(0);
  });

  it('C2 checks a truncated call by the finish reason of the response', () => {
    const judged: CheckedCall[] = [];
    const mender = turnMender(toolbox, { onCall: (one) => judged.push(one) });
    for (const event of eventsOf(answers['a call that was cut off'] as TurnResponse)) mender.take(event);
    expect(judged.map(({ outcome }) => outcome.raw.finishReason)).toEqual(['length']);
  });

  it('emits calls in the order they arrived, even if one of them is buffered', () => {
    const second = { ...call('{"path": "b.ts"}'), id: 'c2' } as AssistantPart;
    const answer = turn([call('{"path": "a.ts"'), second]);
    const mender = turnMender(toolbox);
    const events = [...eventsOf(answer, 4)].flatMap((event) => mender.take(event));
    expect(events.flatMap((event) => (event.type === 'part.finished' ? [event.index] : []))).toEqual([0, 1]);
  });

  it('leaves text unchanged if configured to', () => {
    const answer = answers['a call in words'] as TurnResponse;
    expect(mendTurn(answer, toolbox, { dialect: 'native' })).toMatchObject({ changed: false, response: answer });
  });

  it('releases buffered events if a turn fails, and completes no call', () => {
    const mender = turnMender(toolbox);
    const whole = answers['a call in words'] as TurnResponse;
    const events = [...eventsOf(whole, 5)].slice(0, -2).flatMap((event) => mender.take(event));
    const error = { kind: 'network', message: 'gone', retryable: true } as const;
    const all = [...events, ...mender.take({ type: 'turn.failed', error, response: whole })];
    expect(all.at(-1)?.type).toBe('turn.failed');
    expect(heard(all).grown[0]).toBe((whole.message.parts[0] as { text: string }).text);
    expect(all.some((event) => event.type === 'part.started' && event.part.type === 'call')).toBe(false);
  });
});

/** The value of a text of JSON; the text itself where it is none. */
function readable(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return words;
  }
}

describe('tellPast', () => {
  it('gives feedback on each invalid call, with more detail after each failed turn', () => {
    const bad = (id: string, at: number) => ({ id, name: 'read_file', arguments: '{"limit": "x"}', turn: at });
    const told = pastFeedback(
      [bad('a', 0), { ...bad('b', 1), arguments: '{"path": "a"}' }, bad('c', 2), bad('d', 3), bad('e', 4)],
      toolbox,
    );
    expect([...told.keys()]).toEqual(['a', 'c', 'd', 'e']);
    expect(told.get('a')).toBe(told.get('c'));
    expect(told.get('a')).toContain("Field 'path' is required but missing");
    expect((told.get('e') as string).length).toBeGreaterThan((told.get('c') as string).length);
  });
});
