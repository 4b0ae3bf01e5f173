import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Case, CaseTool } from './case.ts';
import type { Entrance, OpenEntrance, Seen } from './entrance.ts';
import { kindsOf } from './wanted.ts';

const nothingRuns = '`toolmend mend` and `toolmend decode` check calls and run nothing';

/** `toolmend mend --jsonl` for native calls and `toolmend decode` for words, each started once. */
export const commandLine: Entrance = {
  name: 'command line',
  column: 'command line',
  hides: { run: nothingRuns, result: nothingRuns },
  cannot: {
    unnamed: "a single call isn't part of a message from which it could be removed",
    fallback: "definitions in a file can't be run, including the tool named `invalid`",
    rules: nothingRuns,
    deadline: nothingRuns,
    stop: nothingRuns,
    runs: nothingRuns,
  },
  open,
};

async function open(): Promise<OpenEntrance> {
  const mend = filter('mend', '--jsonl');
  const decode = filter('decode');
  return {
    async run(one) {
      if ('text' in one.wrote) {
        const line = { tools: defined(one), text: one.wrote.text, finishReason: one.wrote.finish };
        return (await decode.ask<{ calls: readonly Judged[] }>(line)).calls.map(seenOf);
      }
      const { calls, finish } = one.wrote;
      const seen: Seen[] = [];
      for (const [at, call] of calls.entries()) {
        const ended = at === calls.length - 1 && finish ? { finishReason: finish } : {};
        seen.push(seenOf(await mend.ask<Judged>({ tools: defined(one), ...call, ...ended, tries: one.times })));
      }
      return seen;
    },
    async close() {
      await Promise.all([mend.end(), decode.end()]);
    },
  };
}

interface Judged {
  readonly status: string;
  readonly errorType?: string;
  readonly name: string;
  readonly input: unknown;
  readonly repairs: Parameters<typeof kindsOf>[0]['repairs'];
  readonly feedback?: string;
}

function seenOf({ status, errorType, name, input, repairs, feedback = 'none' }: Judged): Seen {
  if (errorType !== undefined) return { verdict: errorType, call: 'as written', feedback };
  return { verdict: status, repairs: kindsOf({ repairs }), call: { name, input } };
}

/** Definitions as files and servers have them, with what a tool does to the world as hints. */
export const defined = ({ tools }: Case): object[] =>
  tools.map(({ name, description, inputSchema, effect }) => ({
    name,
    description,
    inputSchema,
    ...(effect && { annotations: hints[effect] }),
  }));

const hints: Readonly<Record<NonNullable<CaseTool['effect']>, object>> = {
  read: { readOnlyHint: true },
  write: {},
  destructive: { destructiveHint: true },
};

const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** A command that answers each line with a line. */
function filter(...args: readonly string[]) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [main, ...args]);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async ask<T>(line: object): Promise<T> {
      child.stdin.write(`${JSON.stringify(line)}\n`);
      return JSON.parse((await lines.next()).value ?? 'null');
    },
    async end(): Promise<void> {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
