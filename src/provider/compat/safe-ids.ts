import type { Message, ResultPart } from '../../model/index.ts';
import { fits, type idRules } from './name-rules.ts';
import { safeNames } from './safe-names.ts';

type IdRule = (typeof idRules)[keyof typeof idRules];

/** The ids of a conversation's calls as a provider takes them, each result with its call's. */
export interface SafeIds {
  readonly messages: readonly Message[];
  /** Those that changed, with where they stood. */
  readonly changed: readonly { readonly where: string; readonly from: string; readonly to: string }[];
}

/**
 * Makes the ids of calls fit a rule, and each result's id follow its call's. A result whose call is not in the
 * conversation keeps its id: whoever knows the call knows it by that.
 */
export function safeIds(messages: readonly Message[], rule: IdRule): SafeIds {
  const all = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])));
  const names = safeNames(all, rule);
  const used = new Set<string>(all.filter((id) => fits(id, rule)));
  const seen = new Set<string>();
  const current = new Map<string, string>();
  const changed: { where: string; from: string; to: string }[] = [];
  /** An id of its own for a call whose id another call before it had. */
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
    // The parts are of the same kinds as before, so the message is of its kind too.
    return touched ? ({ ...message, parts } as Message) : message;
  });
  return { messages: changed.length > 0 ? mapped : messages, changed };
}
