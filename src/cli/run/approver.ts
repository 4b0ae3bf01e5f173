import { createInterface } from 'node:readline';
import type { Approver } from '../../execute/permission-rules.ts';
import { readJson } from '../../json/read-json.ts';
import type { Decision } from '../../log/events.ts';
import { visibleJson } from '../../log/shown/visible.ts';
import type { Page } from '../mend/show-outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { approvalLines, approvalPrompt, type CallToApprove } from './call-lines.ts';

/** What is paused while the user is asked. */
interface Holdable {
  hold(): void;
  release(): void;
}

interface ApproverOptions {
  readonly terminal: Terminal;
  readonly page: Page;
  readonly screen: Holdable;
  readonly onInterrupt: () => void;
}

type Ask = (prompt: string, given?: string) => Promise<string | undefined>;
/** @param more the text after the word: a reason */
type Answer = (call: CallToApprove, more: string, ask: Ask) => Promise<Decision | undefined>;

const by = 'user';

/** The meaning of each letter; `undefined` asks again. */
const answers: Readonly<Record<string, Answer>> = {
  y: async () => ({ type: 'allow', by }),
  a: async () => ({ type: 'allow', always: true, by }),
  n: async (_, more, ask) => {
    const reason = more || (await ask('  Reason (sent to the model) › '))?.trim();
    return { type: 'deny', by, ...(reason && { reason }) };
  },
  e: async ({ input }, _, ask) => {
    const text = await ask('  › ', visibleJson(input));
    if (text === undefined) return undefined;
    // A person's input isn't mended, except for lossless repairs.
    const { value, problems, repairs } = readJson(text);
    const isSure = problems.length === 0 && repairs.every(({ certainty }) => certainty === 'lossless');
    return isSure ? { type: 'edit', input: value, by } : undefined;
  },
};

/** Complete words are accepted too; nothing else counts as a yes. */
const words: Readonly<Record<string, string>> = { yes: 'y', always: 'a', no: 'n', edit: 'e' };

/** Asks at the prompt whether a call may run, one call at a time. */
export function approver({ terminal, page, screen, onInterrupt }: ApproverOptions): Approver {
  let last: Promise<unknown> = Promise.resolve();
  const decide = async (call: CallToApprove, signal: AbortSignal): Promise<Decision | undefined> => {
    // Draws earlier events first.
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
    // Only a no can have more beside it, its reason: `a different file, please` isn't `always`.
    const isExact = Object.hasOwn(answers, letter) && (more === '' || letter === 'n');
    const decision = isExact ? await answers[letter]?.(call, more, ask) : undefined;
    if (decision) return decision;
    terminal.output.write(
      '  Type y, a, n or e, and nothing else. After n, you can add a reason. Edited arguments must be JSON.\n',
    );
  }
}

interface LineOptions {
  /** Initial text to edit. */
  readonly given?: string;
  readonly signal?: AbortSignal;
  /** Called for Ctrl-C, which isn't sent as a signal while a line is edited. */
  readonly onInterrupt?: () => void;
}

/** Reads a line at the prompt; undefined at the end of input, or when aborted. */
export function askLine(
  { input, output }: Terminal,
  prompt: string,
  options: LineOptions = {},
): Promise<string | undefined> {
  const { given = '', signal, onInterrupt } = options;
  if (signal?.aborted) return Promise.resolve(undefined);
  const lines = createInterface({ input, output, terminal: output.isTTY === true, historySize: 0 });
  return new Promise((resolve) => {
    const end = (line?: string): void => {
      signal?.removeEventListener('abort', leave);
      resolve(line);
      lines.close();
    };
    const leave = (): void => {
      output.write('\n');
      end();
    };
    signal?.addEventListener('abort', leave, { once: true });
    lines.on('SIGINT', () => {
      if (onInterrupt) onInterrupt();
      else leave();
    });
    lines.on('close', () => end());
    lines.question(prompt, end);
    if (given !== '') lines.write(given);
  });
}

/** Handles Ctrl-C: the first press stops the current work, the second ends the process. */
export class Interrupts {
  readonly #terminal: Terminal;
  readonly #off: () => void;
  #stop: (() => void) | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#off = terminal.onInterrupt(() => this.press());
  }

  /** Sets what the next press stops. */
  arm(stop: (() => void) | undefined): void {
    this.#stop = stop;
  }

  press(): void {
    const stop = this.#stop;
    this.#stop = undefined;
    if (stop) stop();
    else this.#terminal.exit(130);
  }

  close(): void {
    this.#off();
  }
}
