import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Answer } from './judge.ts';
import type { Trial } from './trial.ts';

/** The trial as a line of the command line's contract. */
export const lineOf = (trial: Trial, id: string): string =>
  JSON.stringify({
    id,
    tools: trial.tools.map(({ name, description, inputSchema, annotations }) => ({
      name,
      description,
      inputSchema,
      annotations,
    })),
    name: trial.call.name,
    arguments: trial.call.arguments,
    finishReason: trial.call.finishReason,
  });

/** Sends trials through `toolmend mend --jsonl` and gives the answers in their order. */
export const answersOfCli = async (trials: readonly Trial[]): Promise<readonly Answer[]> => {
  const child = spawn('npm', ['run', '-s', 'toolmend', '--', 'mend', '--jsonl'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(`${trials.map((trial, at) => lineOf(trial, String(at))).join('\n')}\n`);
  const lines = (await text(child.stdout)).trim().split('\n');
  return lines.map((line, at) => {
    const answer = JSON.parse(line) as Answer & { readonly id: string };
    if (answer.id !== String(at)) throw new Error(`answer ${answer.id} came where ${at} was due`);
    return answer;
  });
};
