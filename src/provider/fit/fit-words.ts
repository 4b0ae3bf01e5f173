import type { Message, Part } from '../../turn/turn.ts';
import type { Fitting } from './fitting.ts';
import type { LoweringTarget } from './lowering-target.ts';
import { speaks } from './turn-at.ts';

/** Texts that a provider refuses: those that say nothing, each in its own sense. */
const silent: readonly { readonly of: RegExp; readonly text: RegExp }[] = [
  { of: /^anthropic/, text: /^\s*$/ },
  { of: /^gemini/, text: /^$/ },
];

/** A conversation without texts that say nothing, and without messages that nothing is left of. */
export function fitWords(messages: readonly Message[], target: LoweringTarget, changes: Fitting[]): readonly Message[] {
  if (target === 'plain') return messages;
  const { text } = silent.find(({ of }) => of.test(target)) ?? {};
  const fitted = messages.flatMap((message, at): Message[] => {
    const says = (part: Part): boolean => part.type !== 'text' || part.seal !== undefined || !text?.test(part.text);
    const parts = [...message.parts].filter(says).map((part) => (target.startsWith('openai') ? spoken(part) : part));
    const tell = (what: string): void => void changes.push({ where: `messages.${at}`, what, kind: 'dropped' });
    if (parts.length === 0 && !(message.parts.length === 0 && message.extra && speaks(target, message.extra.format))) {
      tell('a message that says nothing is left out');
      return [];
    }
    if (parts.every((part, index) => part === message.parts[index]) && parts.length === message.parts.length)
      return [message];
    if (parts.length < message.parts.length) tell('a text that says nothing is left out');
    // The parts are of the same kinds as before, so the message is of its kind too.
    return [{ ...message, parts } as Message];
  });
  return fitted.length < messages.length || fitted.some((message, at) => message !== messages[at]) ? fitted : messages;
}

/** A result without content is an empty text: an empty list is refused. */
const spoken = (part: Part): Part =>
  part.type === 'result' && part.content.length === 0 ? { ...part, content: [{ type: 'text', text: '' }] } : part;
