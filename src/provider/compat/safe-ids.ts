import { checkArgument } from '../../json/value.ts';
import type { Message, ResultPart } from '../../model/index.ts';
import { fits, type idRules, safeNames } from './safe-names.ts';

type IdRule = (typeof idRules)[keyof typeof idRules];

/** Messages with call ids that a provider accepts. */
export interface SafeIds {
  readonly messages: readonly Message[];
  /** Changed ids, with their location. */
  readonly changed: readonly { readonly where: string; readonly from: string; readonly to: string }[];
}

/**
 * Adapts the ids of calls to a rule, and updates their results. A result without a call in the conversation keeps its
 * id, because the provider knows the call by that id.
 */
export function safeIds(messages: readonly Message[], rule: IdRule): SafeIds {
  checkArgument(Array.isArray(messages), 'messages', 'a list of messages', messages);
  const all = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])));
  const names = safeNames(all, rule);
  const used = new Set<string>(all.filter((id) => fits(id, rule)));
  const seen = new Set<string>();
  const current = new Map<string, string>();
  const changed: { where: string; from: string; to: string }[] = [];
  /** A unique id for a call that shares its id with an earlier one. */
  const own = (id: string): string => {
    const safe = names.safe(id);
    if (!rule.unique || !seen.has(safe)) return safe;
    for (let turn = 2; ; turn++) {
      const mark = `_${turn}`;
      const next = `${safe.slice(0, rule.longest - mark.length)}${mark}`;
      if (!seen.has(next) && !used.has(next)) return next;
    }
  };
  const mapped = messages.map((message, at): Message => {
    let touched = false;
    const parts = message.parts.map((part, index) => {
      if (part.type !== 'call' && part.type !== 'result') return part;
      const from = part.type === 'call' ? part.id : (part as ResultPart).callId;
      const to = part.type === 'call' ? own(from) : (current.get(from) ?? from);
      if (part.type === 'call') {
        seen.add(to);
        current.set(from, to);
      }
      if (to === from) return part;
      touched = true;
      changed.push({ where: `messages.${at}.parts.${index}`, from, to });
      return part.type === 'call' ? { ...part, id: to } : { ...part, callId: to };
    });
    // Parts keep their types, so the message type is unchanged.
    return touched ? ({ ...message, parts } as Message) : message;
  });
  return { messages: changed.length > 0 ? mapped : messages, changed };
}
