import { readArguments } from '../../call/read-arguments.ts';
import { readStrict } from '../../json/json.ts';
import { defaultLimits } from '../../json/limits.ts';
import { isObject } from '../../json/value.ts';
import type { CallPart, Message, Part } from '../../turn/turn.ts';
import type { Fitting } from './fitting.ts';
import type { SafeNames } from './safe-names.ts';

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
  const given = soundArguments(part, where, changes);
  return name === part.name && given === part.arguments ? part : { ...part, name, arguments: given };
}

/** Arguments as an object or the text of one: as they are, mended, or none. */
function soundArguments({ name, arguments: given }: CallPart, where: string, changes: Fitting[]): unknown {
  if (typeof given === 'string' ? isObject(readStrict(given)?.value) : isObject(given)) return given;
  const { value, problems } = readArguments({ name, arguments: given }, undefined, defaultLimits);
  const mended = problems.length === 0 && isObject(value);
  const kind = mended ? 'rewritten' : 'dropped';
  const what = mended
    ? 'the arguments were no JSON object as they stood, and are mended'
    : 'the arguments are no JSON object and have no single reading; none are sent';
  changes.push({ where: `${where}.arguments`, what, kind });
  const sound = mended ? value : {};
  return typeof given === 'string' ? JSON.stringify(sound) : sound;
}
