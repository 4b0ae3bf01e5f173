import { describe, expect, it } from 'vitest';
import type { AssistantPart, FinishReason, TurnEvent, TurnResponse } from '../../model/index.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { eventsOf } from '../wire/turn-assembler.ts';
import { type StrictDelivery, spread, TurnMender } from './turn-mender.ts';

const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer' } },
  required: ['path'],
};
const toolbox = new Toolbox([tool({ name: 'read_file', description: 'Reads', effect: 'read', inputSchema })]);

/** Withholds what was refused as truncated. */
const strict: StrictDelivery = {
  withholding: {
    note: ({ outcome }) =>
      outcome.status === 'invalid' && outcome.errorType === 'truncated'
        ? { text: 'A call was withheld.', isCut: true }
        : undefined,
    isCall: () => false,
    opaqueNote: () => undefined,
    isPiece: () => false,
    response: (response) => response,
  },
  dryRun: false,
  streamArguments: false,
  hold: false,
  mayCall: () => true,
  rescue: () => undefined,
};

const call = (args: unknown, name = 'read_file', id = 'c1'): AssistantPart => ({
  type: 'call',
  id,
  name,
  arguments: args,
});
const turn = (parts: AssistantPart[], finish: FinishReason = 'tool_calls'): TurnResponse => ({
  message: { role: 'assistant', parts },
  finish,
});
const inputsOf = (response: TurnResponse): TurnEvent[] => [...eventsOf(response, 5)].flatMap(spread);

describe('strict delivery', () => {
  it('gives back the very events of a turn in which nothing is changed', () => {
    const mender = new TurnMender({ toolbox, strict });
    const events = inputsOf(turn([{ type: 'text', text: 'I look.' }, call('{"path": "a.ts", "limit": 5}')]));
    const out = events.flatMap((event) => mender.deliver([event])).flatMap((delivery) => delivery.out);
    expect(out.length).toBe(events.length);
    for (const [at, event] of out.entries()) expect(event).toBe(events[at]);
  });

  it('lets nothing overtake a call that may still change', () => {
    const mender = new TurnMender({ toolbox, strict });
    const events = inputsOf(turn([call('{"path": "a.ts", "limit": "5"'), { type: 'text', text: 'Done.' }]));
    const steps = events.map((event) => mender.deliver([event]).length);
    expect(steps.slice(1, -1).every((sent) => sent === 0)).toBe(true);
    expect(steps.at(-1)).toBe(events.length - 1);
  });

  it('delivers a mended call as its beginning and its text, and names the events it stands for', () => {
    const mender = new TurnMender({ toolbox, strict });
    const events = inputsOf(turn([call('{"path": "a.ts", "limit": "5",}', 'Read-File')]));
    const deliveries = events.flatMap((event) => mender.deliver([event]));
    expect(deliveries.map(({ event }) => event)).toEqual(events);
    const out = deliveries.flatMap((delivery) => delivery.out);
    expect(out.find(({ type }) => type === 'part.started')).toMatchObject({ part: { name: 'read_file' } });
    const text = out.flatMap((event) => (event.type === 'part.delta' ? [event.text] : [])).join('');
    expect(JSON.parse(text)).toEqual({ path: 'a.ts', limit: 5 });
  });

  it('C18 puts a note in the place of a call that the token limit cut off', () => {
    const mender = new TurnMender({ toolbox, strict });
    const events = inputsOf(turn([call('{"path": "a.t')], 'length'));
    const out = events.flatMap((event) => mender.deliver([event])).flatMap((delivery) => delivery.out);
    const last = out.at(-1);
    expect(last?.type === 'turn.finished' && last.response.message.parts).toEqual([
      { type: 'text', text: 'A call was withheld.' },
    ]);
    expect(out.some((event) => event.type === 'part.started' && event.part.type === 'call')).toBe(false);
  });

  it('holds a turn with a bad call until it is released, with the calls of another response', () => {
    const mender = new TurnMender({ toolbox, strict: { ...strict, hold: true } });
    for (const event of inputsOf(turn([call('{"limit": 5}')]))) mender.deliver([event]);
    expect(mender.held).toBe(true);
    const out = mender.release({ response: turn([call('{"path": "b.ts"}')]), calls: [] }).flatMap(({ out }) => out);
    expect(out.find(({ type }) => type === 'part.finished')).toMatchObject({ part: { arguments: '{"path": "b.ts"}' } });
  });
});
