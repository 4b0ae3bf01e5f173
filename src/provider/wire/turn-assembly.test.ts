import { describe, expect, it } from 'vitest';
import type { TurnEvent } from '../../model/index.ts';
import { TurnAssembler } from './turn-assembler.ts';

const assemble = (drive: (assembly: TurnAssembler) => void): TurnEvent[] => {
  const events: TurnEvent[] = [];
  drive(new TurnAssembler('anthropic', (event) => events.push(event)));
  return events;
};
const types = (events: readonly TurnEvent[]): string[] => events.map(({ type }) => type);

describe('a turn', () => {
  it('joins parts that stream in parallel', () => {
    const events = assemble((assembly) => {
      assembly.start({ id: 'r1', model: 'm' });
      const text = assembly.open({ type: 'text', text: '' });
      assembly.grow(text, 'Hel');
      assembly.grow(text, 'lo');
      assembly.close(text);
      const one = assembly.open({ type: 'call', id: 'a', name: 'f', arguments: '' });
      const two = assembly.open({ type: 'call', id: 'b', name: 'g', arguments: '' });
      assembly.grow(one, '{"x":');
      assembly.grow(two, '{}');
      assembly.grow(one, '1}');
      assembly.finish({ usage: { input: 3, output: 4 } });
    });
    expect(types(events)).toEqual([
      'turn.started',
      'part.started',
      'part.delta',
      'part.delta',
      'part.finished',
      'part.started',
      'part.started',
      'part.delta',
      'part.delta',
      'part.delta',
      'part.finished',
      'part.finished',
      'turn.finished',
    ]);
    expect(events.at(-1)).toEqual({
      type: 'turn.finished',
      response: {
        id: 'r1',
        model: 'm',
        message: {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'Hello' },
            { type: 'call', id: 'a', name: 'f', arguments: '{"x":1}' },
            { type: 'call', id: 'b', name: 'g', arguments: '{}' },
          ],
        },
        finish: 'tool_calls',
        usage: { input: 3, output: 4 },
      },
    });
  });

  it('shows what failed in the middle, but reports no open part as complete', () => {
    const events = assemble((assembly) => {
      assembly.grow(assembly.open({ type: 'call', id: 'a', name: 'f', arguments: '' }), '{"x":');
      assembly.fail({ kind: 'network', message: 'The connection broke', retryable: true });
      assembly.finish();
    });
    expect(types(events)).toEqual(['turn.started', 'part.started', 'part.delta', 'turn.failed']);
    expect(events.at(-1)).toMatchObject({
      response: { finish: 'error', message: { parts: [{ type: 'call', arguments: '{"x":' }] } },
    });
  });

  it('S4.4 omits and records a call whose name is empty or a symbol', () => {
    const events = assemble((assembly) => {
      assembly.add({ type: 'call', id: 'a', name: '⚙', arguments: '{}' });
      assembly.add({ type: 'call', id: 'b', name: '', arguments: { x: 1 } });
      assembly.add({ type: 'call', id: 'c', name: 'f', arguments: '{}' });
      assembly.finish();
    });
    expect(types(events)).toEqual([
      'turn.started',
      'call.ignored',
      'call.ignored',
      'part.started',
      'part.finished',
      'turn.finished',
    ]);
    expect(events.at(-1)).toMatchObject({
      response: { message: { parts: [{ name: 'f' }] }, ignored: [{ name: '⚙' }, { name: '', arguments: { x: 1 } }] },
    });
  });

  it('gives every call a unique id', () => {
    const ids = assemble((assembly) => {
      for (const [at, id] of ['', 'same', 'same', ''].entries())
        assembly.add({ type: 'call', id, name: 'f', arguments: { at } });
    }).flatMap((event) => (event.type === 'part.started' && event.part.type === 'call' ? [event.part.id] : []));
    expect(new Set(ids).size).toBe(4);
    expect(ids).toContain('same');
    expect(ids.every((id) => /^\w{4,40}$/.test(id))).toBe(true);
  });

  it('removes a call that was sent twice, and keeps the order of what follows', () => {
    const events = assemble((assembly) => {
      const f = { type: 'call', id: 'a', name: 'f', arguments: '' } as const;
      assembly.add({ ...f, arguments: '{"x": 1}' });
      const again = assembly.open(f);
      assembly.grow(again, '{"x"');
      const other = assembly.open(f);
      assembly.add({ type: 'text', text: 'Done.' });
      assembly.grow(other, '{"x":2}');
      assembly.close(other);
      assembly.grow(again, ':1}');
      expect(assembly.pending).toBe(true);
      assembly.close(again);
      expect(assembly.pending).toBe(false);
      assembly.finish();
    });
    expect(types(events)).toEqual([
      'turn.started',
      'part.started',
      'part.finished',
      'call.ignored',
      'part.started',
      'part.delta',
      'part.finished',
      'part.started',
      'part.finished',
      'turn.finished',
    ]);
    expect(events.at(-1)).toMatchObject({
      response: {
        message: { parts: [{ arguments: '{"x": 1}' }, { arguments: '{"x":2}' }, { text: 'Done.' }] },
        ignored: [{ id: 'a', name: 'f', arguments: '{"x":1}', repeated: true }],
      },
    });
  });

  it.each([
    ['f', "{'x': 1,}"],
    ['F', '{"x": 1}'],
  ])('removes a call that was sent twice, once by another name or damaged: %s %s', (name, text) => {
    const events = assemble((assembly) => {
      assembly.add({ type: 'call', id: 'a', name: 'f', arguments: '{"x": 1}' });
      assembly.add({ type: 'call', id: 'a', name, arguments: text });
      assembly.finish();
    });
    expect(types(events)).toContain('call.ignored');
  });

  it('shows a repeated call that broke off, because it may be another', () => {
    const events = assemble((assembly) => {
      assembly.add({ type: 'call', id: 'a', name: 'f', arguments: '{"x":1}' });
      assembly.grow(assembly.open({ type: 'call', id: 'a', name: 'f', arguments: '' }), '{"x":1');
      assembly.fail({ kind: 'network', message: 'The connection broke', retryable: true });
    });
    expect(types(events).slice(3)).toEqual(['part.started', 'part.delta', 'turn.failed']);
  });

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['"1"', '1'],
    ['[1, 2]', '[2, 1]'],
  ])('F10 keeps calls apart that only look alike: %s, %s', (...values) => {
    const events = assemble((assembly) => {
      for (const value of values) assembly.add({ type: 'call', id: 'a', name: 'f', arguments: `{"x":${value}}` });
      assembly.finish();
    });
    expect(types(events).filter((type) => type === 'part.finished')).toHaveLength(2);
  });

  it('keeps the value of a call, and details that arrive late', () => {
    const events = assemble((assembly) => {
      assembly.add({ type: 'call', id: 'a', name: 'f', arguments: { x: 1 } });
      const thought = assembly.open({ type: 'reasoning', text: '' });
      assembly.grow(thought, 'Hm');
      assembly.close(thought, { signature: { format: 'anthropic', value: 'sig' } });
      assembly.finish();
    });
    expect(events.at(-1)).toMatchObject({
      response: {
        message: {
          parts: [{ arguments: { x: 1 } }, { text: 'Hm', signature: { format: 'anthropic', value: 'sig' } }],
        },
      },
    });
  });
});
