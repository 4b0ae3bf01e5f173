import { describe, expect, it } from 'vitest';
import type { CheckedCall } from '../../mend/mend-call.ts';
import { finishOf, mendedFinish } from './finish-reason.ts';
import type { FinishReason } from './options.ts';

const good = { calls: [{ outcome: { status: 'ok' } } as CheckedCall], ignored: false };
/** A finish reason as version 5 of the SDK has it. */
const word = (text: string): FinishReason => text as never;

describe('finish reasons of version 5', () => {
  const expectFinish = (text: string, finish: string) => {
    expect(finishOf(word(text))).toBe(finish);
    expect(finishOf({ unified: text, raw: undefined } as FinishReason)).toBe(finish);
  };
  it.each([
    ['length', 'length'],
    ['stop', 'stop'],
    ['tool-calls', 'tool_calls'],
  ])('reads the word %s', expectFinish);
  it.each([['unknown', 'other']])('guard: reads the word %s', expectFinish);

  it.each([
    ['stop', 'pause_turn', 'other'],
    ['stop', 'network_error', 'other'],
    ['stop', 'end_turn', 'stop'],
    ['stop', 'stop_sequence', 'stop'],
    ['stop', 'STOP', 'stop'],
    ['stop', '', 'stop'],
    ['tool-calls', 'pause_turn', 'other'],
  ] as const)('reads %s as what the provider reported: %s', (unified, raw, finish) => {
    expect(finishOf({ unified, raw })).toBe(finish);
  });

  it('stays a word if a mended call must run', () => {
    expect(mendedFinish(word('stop'), good)).toBe('tool-calls');
    expect(mendedFinish({ unified: 'stop', raw: 'stop' }, good)).toEqual({ unified: 'tool-calls', raw: 'stop' });
    expect(mendedFinish(word('error'), good)).toBe('error');
  });
});
