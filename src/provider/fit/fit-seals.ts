import type { AssistantPart, Message } from '../../turn/turn.ts';
import type { Fitting } from './fitting.ts';
import type { LoweringTarget } from './lowering-target.ts';

/** What the provider takes in place of its own signature, for calls that its models did not make. */
const unchecked = 'skip_thought_signature_validator';

/** A conversation in which calls of other providers' models bear the mark that Gemini wants of them. */
export function fitSeals(messages: readonly Message[], target: LoweringTarget, changes: Fitting[]): readonly Message[] {
  if (!target.startsWith('gemini')) return messages;
  let touched = false;
  const fitted = messages.map((message, at): Message => {
    if (message.role !== 'assistant' || message.parts.some(isOwn)) return message;
    const first = message.parts.findIndex(({ type }) => type === 'call');
    if (first < 0) return message;
    touched = true;
    const what = 'a call that this provider has not signed is refused; it is sent with the mark for such calls';
    changes.push({ where: `messages.${at}.parts.${first}.seal`, what, kind: 'rewritten' });
    const seal = { format: 'gemini', value: unchecked } as const;
    // The first of several calls is signed for all.
    return { ...message, parts: message.parts.map((part, index) => (index === first ? { ...part, seal } : part)) };
  });
  return touched ? fitted : messages;
}

/** Whether a part is known to have come from Gemini. */
const isOwn = (part: AssistantPart): boolean =>
  ('seal' in part && part.seal?.format === 'gemini') ||
  ('extra' in part && part.extra?.format === 'gemini') ||
  (part.type === 'opaque' && part.format === 'gemini');
