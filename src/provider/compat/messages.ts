import type { AssistantPart, Message, Part } from '../../model/index.ts';
import type { LoweringTarget } from './lowering-target.ts';
import { repairArguments, repairNote } from './repair-arguments.ts';
import type { SafeNames } from './safe-names.ts';
import type { Fitting } from './schema/state.ts';
import { usesFormat } from './turns.ts';

/** Renames tools in a conversation, and repairs arguments that aren't a JSON object. */
export function fitHistory(messages: readonly Message[], names: SafeNames, changes: Fitting[]): readonly Message[] {
  const fitted = messages.map((message, at): Message => {
    const parts = message.parts.map((part, index) => fitPart(part, `messages.${at}.parts.${index}`, names, changes));
    const touched = parts.some((part, index) => part !== message.parts[index]);
    // Parts keep their types, so the message type is unchanged.
    return touched ? ({ ...message, parts } as Message) : message;
  });
  return fitted.some((message, index) => message !== messages[index]) ? fitted : messages;
}

function fitPart(part: Part, where: string, names: SafeNames, changes: Fitting[]): Part {
  if (part.type === 'result') {
    const name = part.name === undefined ? undefined : names.safe(part.name);
    return name === undefined || name === part.name ? part : { ...part, name };
  }
  if (part.type !== 'call') return part;
  const name = names.safe(part.name);
  const { arguments: given, kind } = repairArguments(part.name, part.arguments);
  if (kind !== 'kept')
    changes.push({
      where: `${where}.arguments`,
      what: repairNote[kind],
      kind: kind === 'mended' ? 'rewritten' : 'dropped',
    });
  return name === part.name && given === part.arguments ? part : { ...part, name, arguments: given };
}

/** Gemini's substitute signature for calls that its models didn't make. */
const unchecked = 'skip_thought_signature_validator';

/** Adds the substitute signature to calls of other providers' models, which Gemini requires. */
export function fitSignatures(
  messages: readonly Message[],
  target: LoweringTarget,
  changes: Fitting[],
): readonly Message[] {
  if (!target.startsWith('gemini')) return messages;
  let touched = false;
  const fitted = messages.map((message, at): Message => {
    if (message.role !== 'assistant' || message.parts.some(isOwn)) return message;
    const first = message.parts.findIndex(({ type }) => type === 'call');
    if (first < 0) return message;
    touched = true;
    const what = 'the provider rejects calls that it did not sign; sent with its placeholder signature';
    changes.push({ where: `messages.${at}.parts.${first}.signature`, what, kind: 'rewritten' });
    const signature = { format: 'gemini', value: unchecked } as const;
    // The signature of the first call covers all calls of the message.
    return { ...message, parts: message.parts.map((part, index) => (index === first ? { ...part, signature } : part)) };
  });
  return touched ? fitted : messages;
}

/** Whether a part came from Gemini. */
const isOwn = (part: AssistantPart): boolean =>
  ('signature' in part && part.signature?.format === 'gemini') ||
  ('passthrough' in part && part.passthrough?.format === 'gemini') ||
  (part.type === 'opaque' && part.format === 'gemini');

/** Texts that a provider rejects as empty. */
const silent: readonly { readonly of: RegExp; readonly text: RegExp }[] = [
  { of: /^anthropic/, text: /^\s*$/ },
  { of: /^gemini/, text: /^$/ },
];

/** Removes empty texts, and messages that become empty. */
export function fitTexts(messages: readonly Message[], target: LoweringTarget, changes: Fitting[]): readonly Message[] {
  if (target === 'plain') return messages;
  const { text } = silent.find(({ of }) => of.test(target)) ?? {};
  const fitted = messages.flatMap((message, at): Message[] => {
    const says = (part: Part): boolean =>
      part.type !== 'text' || part.signature !== undefined || !text?.test(part.text);
    const parts = [...message.parts].filter(says).map((part) => (target.startsWith('openai') ? spoken(part) : part));
    const tell = (what: string): void => void changes.push({ where: `messages.${at}`, what, kind: 'dropped' });
    if (
      parts.length === 0 &&
      !(message.parts.length === 0 && message.passthrough && usesFormat(target, message.passthrough.format))
    ) {
      tell('an empty message is dropped');
      return [];
    }
    if (parts.every((part, index) => part === message.parts[index]) && parts.length === message.parts.length)
      return [message];
    if (parts.length < message.parts.length) tell('an empty text is dropped');
    // Parts keep their types, so the message type is unchanged.
    return [{ ...message, parts } as Message];
  });
  return fitted.length < messages.length || fitted.some((message, at) => message !== messages[at]) ? fitted : messages;
}

/** Providers reject an empty content list, so an empty result gets an empty text. */
const spoken = (part: Part): Part =>
  part.type === 'result' && part.content.length === 0 ? { ...part, content: [{ type: 'text', text: '' }] } : part;
