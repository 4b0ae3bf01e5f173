import type { Message, Part } from '../../turn/turn.ts';
import type { Fitting } from './fitting.ts';
import type { SafeNames } from './safe-names.ts';
import { soundArguments, soundWords } from './sound-arguments.ts';

/** A conversation with the names of tools as they are sent, and with no call whose arguments are no JSON object. */
export function fitHistory(messages: readonly Message[], names: SafeNames, changes: Fitting[]): readonly Message[] {
  const fitted = messages.map((message, at): Message => {
    const parts = message.parts.map((part, index) => fitPart(part, `messages.${at}.parts.${index}`, names, changes));
    const touched = parts.some((part, index) => part !== message.parts[index]);
    // The parts are of the same kinds as before, so the message is of its kind too.
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
  const { arguments: given, kind } = soundArguments(part.name, part.arguments);
  if (kind !== 'kept')
    changes.push({
      where: `${where}.arguments`,
      what: soundWords[kind],
      kind: kind === 'mended' ? 'rewritten' : 'dropped',
    });
  return name === part.name && given === part.arguments ? part : { ...part, name, arguments: given };
}
