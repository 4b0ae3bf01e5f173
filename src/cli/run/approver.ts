import type { Approver } from '../../exec/permission.ts';
import { readJson } from '../../json/json.ts';
import type { Decision } from '../../log/decision.ts';
import { visibleJson } from '../../log/shown-arguments.ts';
import type { Page } from '../show-outcome.ts';
import type { Terminal } from '../terminal.ts';
import { approvalLines, approvalPrompt, type CallToApprove } from './approval-lines.ts';
import { askLine, type LineOptions } from './ask-line.ts';

/** What stands still while somebody is asked. */
export interface Holdable {
  hold(): void;
  release(): void;
}

export interface ApproverOptions {
  readonly terminal: Terminal;
  readonly page: Page;
  readonly screen: Holdable;
  readonly onInterrupt: () => void;
}

type Ask = (prompt: string, given?: string) => Promise<string | undefined>;
/** @param more what was typed after the word */
type Answer = (call: CallToApprove, more: string, ask: Ask) => Promise<Decision | undefined>;

const by = 'user';

/** What each letter means; `undefined` asks again. */
const answers: Readonly<Record<string, Answer>> = {
  y: async () => ({ type: 'allow', by }),
  a: async () => ({ type: 'allow', always: true, by }),
  n: async (_, more, ask) => {
    const reason = more || (await ask('  why not? (the model reads it) › '))?.trim();
    return { type: 'deny', by, ...(reason && { reason }) };
  },
  e: async ({ input }, _, ask) => {
    const text = await ask('  › ', visibleJson(input));
    if (text === undefined) return undefined;
    // A person's words are not mended: what they were only inferred to mean, nobody wrote.
    const { value, problems, repairs } = readJson(text);
    const isSure = problems.length === 0 && repairs.every(({ certainty }) => certainty === 'lossless');
    return isSure ? { type: 'edit', input: value, by } : undefined;
  },
};

/** The whole words, for whoever writes them; nothing else is read as a yes. */
const words: Readonly<Record<string, string>> = { yes: 'y', always: 'a', no: 'n', edit: 'e' };

/** Asks at the prompt whether a call may run, one call after the other. */
export function approver({ terminal, page, screen, onInterrupt }: ApproverOptions): Approver {
  let last: Promise<unknown> = Promise.resolve();
  const decide = async (call: CallToApprove, signal: AbortSignal): Promise<Decision | undefined> => {
    // What came before the question is drawn first.
    await new Promise((resolve) => setImmediate(resolve));
    screen.hold();
    try {
      return await question(call, terminal, page, { signal, onInterrupt });
    } finally {
      screen.release();
    }
  };
  return (call, { signal }) => {
    const mine = last.then(() => decide(call, signal));
    last = mine.catch(() => {});
    return mine;
  };
}

async function question(
  call: CallToApprove,
  terminal: Terminal,
  page: Page,
  options: LineOptions,
): Promise<Decision | undefined> {
  terminal.output.write(approvalLines(call, page));
  const ask = (prompt: string, given = ''): Promise<string | undefined> =>
    askLine(terminal, prompt, { ...options, given });
  for (;;) {
    const line = await ask(approvalPrompt(call, page));
    if (line === undefined) return undefined;
    const [, word = '', more = ''] = /^\s*(\w*)\s*(.*?)\s*$/s.exec(line) ?? [];
    const typed = word.toLowerCase();
    const letter = (Object.hasOwn(words, typed) ? words[typed] : typed) ?? '';
    const decision = Object.hasOwn(answers, letter) ? await answers[letter]?.(call, more, ask) : undefined;
    if (decision) return decision;
    terminal.output.write('  y, a, n or e, please; edited arguments are JSON\n');
  }
}
