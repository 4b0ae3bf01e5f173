import { describe, expect, it } from 'vitest';
import type { Message } from '../../model/index.ts';
import { fitSignatures, fitTexts } from './messages.ts';
import type { Fitting } from './schema/state.ts';

const text = (words: string) => ({ type: 'text', text: words }) as const;
const call = { type: 'call', id: '1', name: 'f', arguments: {} } as const;

describe('texts that say nothing', () => {
  const messages: Message[] = [
    { role: 'system', parts: [] },
    { role: 'user', parts: [text('Hi'), text('')] },
    { role: 'assistant', parts: [text('\n\n'), call] },
    { role: 'user', parts: [text(' ')] },
  ];

  it('are left out where they are refused, and messages with nothing else', () => {
    const told: Fitting[] = [];
    expect(fitTexts(messages, 'anthropic', told)).toEqual([
      { role: 'user', parts: [text('Hi')] },
      { role: 'assistant', parts: [call] },
    ]);
    expect(told.map(({ where }) => where)).toEqual(['messages.0', 'messages.1', 'messages.2', 'messages.3']);
    expect(fitTexts(messages, 'gemini', [])).toEqual([
      { role: 'user', parts: [text('Hi')] },
      { role: 'assistant', parts: [text('\n\n'), call] },
      { role: 'user', parts: [text(' ')] },
    ]);
  });

  it('of a result stand where an empty list is refused', () => {
    const result: Message = { role: 'user', parts: [{ type: 'result', callId: '1', content: [] }] };
    expect(fitTexts([result], 'openai', [])).toMatchObject([{ parts: [{ content: [text('')] }] }]);
    expect(fitTexts([result], 'anthropic', [])).toEqual([result]);
  });

  it('stay where they are taken', () => {
    expect(fitTexts(messages, 'plain', [])).toBe(messages);
    expect(fitTexts(messages.slice(1), 'openai', [])).toEqual(messages.slice(1));
    const signed: Message[] = [
      { role: 'assistant', parts: [{ ...text(''), signature: { format: 'gemini', value: 's' } }] },
      { role: 'assistant', parts: [], passthrough: { format: 'gemini', fields: { role: 'model' } } },
    ];
    expect(fitTexts(signed, 'gemini', [])).toBe(signed);
  });
});

describe('calls that Gemini has not signed', () => {
  const signature = { format: 'gemini', value: 'skip_thought_signature_validator' } as const;

  it('are marked as such, the first of each answer', () => {
    const told: Fitting[] = [];
    const messages: Message[] = [{ role: 'assistant', parts: [text('a'), call, { ...call, id: '2' }] }];
    expect(fitSignatures(messages, 'gemini', told)).toEqual([
      { role: 'assistant', parts: [text('a'), { ...call, signature }, { ...call, id: '2' }] },
    ]);
    expect(told).toMatchObject([{ where: 'messages.0.parts.1.signature' }]);
  });

  it('are left alone where Gemini made them, and for everybody else', () => {
    const signed: Message[] = [
      {
        role: 'assistant',
        parts: [
          { ...call, signature: { format: 'gemini', value: 's' } },
          { ...call, id: '2' },
        ],
      },
      { role: 'assistant', parts: [{ ...call, passthrough: { format: 'gemini', fields: {} } }] },
      { role: 'user', parts: [text('a')] },
    ];
    expect(fitSignatures(signed, 'gemini', [])).toBe(signed);
    const foreign: Message[] = [{ role: 'assistant', parts: [call] }];
    expect(fitSignatures(foreign, 'anthropic', [])).toBe(foreign);
  });
});
