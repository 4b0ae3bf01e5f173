import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../../test/cpu-of.ts';
import type { AssistantPart, Message, UserMessage } from '../../model/index.ts';
import type { LoweringTarget } from './lowering-target.ts';
import type { Fitting } from './schema/state.ts';
import { fitTurns } from './turns.ts';

const call = (id: string): AssistantPart => ({ type: 'call', id, name: `tool_${id}`, arguments: {} });
const result = (callId: string): UserMessage['parts'][number] => ({
  type: 'result',
  callId,
  content: [{ type: 'text', text: `of ${callId}` }],
});
const words = (text: string): UserMessage['parts'][number] & AssistantPart => ({ type: 'text', text });
const user = (...parts: UserMessage['parts'][number][]): Message => ({ role: 'user', parts });
const assistant = (...parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
const system: Message = { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] };

/** A conversation in short: who, and what of each part. */
const short = (messages: readonly Message[]): string[] =>
  messages.map(({ role, parts }) =>
    [
      role,
      ...[...parts].map((part) => {
        if (part.type === 'call') return `call ${part.id}`;
        return part.type === 'result' ? `${part.isError ? 'no ' : ''}result ${part.callId}` : part.type;
      }),
    ].join(' '),
  );

function fitted(messages: Message[], target: LoweringTarget = 'anthropic'): { sent: string[]; told: Fitting[] } {
  const told: Fitting[] = [];
  return { sent: short(fitTurns({ messages }, target, told)), told };
}

describe('a conversation that a provider takes', () => {
  it.each<[string, Message[]]>([
    ['without calls', [system, user(words('a')), assistant(words('b')), assistant(words('c')), user(words('d'))]],
    ['with every call answered', [user(words('a')), assistant(call('1'), call('2')), user(result('2'), result('1'))]],
    ['with words behind the results', [assistant(call('1')), user(result('1'), words('a')), system, user(words('b'))]],
  ])('stays the very same: %s', (_, messages) => {
    const told: Fitting[] = [];
    expect(fitTurns({ messages }, 'anthropic', told)).toBe(messages);
    expect(told).toEqual([]);
  });
});

describe('a conversation that a provider refuses', () => {
  it.each<[string, Message[], string[]]>([
    [
      'a call was never answered',
      [assistant(call('1'), call('2')), user(result('1')), user(words('a'))],
      ['assistant call 1 call 2', 'user result 1 no result 2', 'user text'],
    ],
    ['the last call was never answered', [assistant(call('1'))], ['assistant call 1', 'user no result 1']],
    [
      'words stand before the result',
      [assistant(call('1')), user(words('a'), result('1'))],
      ['assistant call 1', 'user result 1', 'user text'],
    ],
    [
      'results come one by one, with words and instructions between',
      [assistant(call('1'), call('2')), user(result('1')), system, user(words('a')), user(result('2'))],
      ['assistant call 1 call 2', 'user result 1 result 2', 'system text', 'user text'],
    ],
    [
      'the call is not there, or was answered before',
      [user(result('0')), assistant(call('1')), user(result('1'), result('1'))],
      ['user text', 'assistant call 1', 'user result 1', 'user text'],
    ],
    [
      'calls stand in answers that follow each other',
      [assistant(words('a')), assistant(call('1')), assistant(call('2')), user(result('1'), result('2'))],
      ['assistant text call 1 call 2', 'user result 1 result 2'],
    ],
  ])('is put in order: %s', (_, messages, expected) => {
    const { sent, told } = fitted(messages);
    expect(sent).toEqual(expected);
    expect(told.length).toBeGreaterThan(0);
    const again: Fitting[] = [];
    const first = fitTurns({ messages }, 'openai', []);
    expect(fitTurns({ messages: first }, 'openai', again)).toBe(first);
  });

  it('stays as it is for servers that take it, and where the provider holds the rest of it', () => {
    const messages = [user(result('of before')), assistant(call('1')), user(words('a'))];
    expect(fitTurns({ messages }, 'plain', [])).toBe(messages);
    const passthrough = { format: 'openai-responses', fields: { previous_response_id: 'resp_1' } } as const;
    expect(fitTurns({ messages, passthrough }, 'openai', [])).toBe(messages);
  });

  it('knows the calls of the provider itself', () => {
    const custom: AssistantPart = { type: 'opaque', format: 'openai-chat', value: { id: '1', type: 'custom' } };
    const messages = [assistant(custom), user(result('1'))];
    expect(fitTurns({ messages }, 'openai', [])).toBe(messages);
    expect(fitted(messages).sent).toEqual(['assistant opaque', 'user text']);
  });

  it('costs no more than its length', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => [assistant(call(`${at}`)), user(words('a'))]).flat();
    expect(cpuOf(() => expect(fitted(many).sent).toHaveLength(60_000))).toBeLessThan(3000);
  });
});
