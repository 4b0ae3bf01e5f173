/** Recorded calls of models, from an independent source. They are stored outside the project and may be missing. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Definition } from '../../test/damage/definition.ts';
import { valid } from '../../test/damage/valid.ts';
import type { ToolRun, WrittenCall } from './contestant.ts';
import { type RecordedResult, recordedCalls, shownAs } from './recorded-calls.ts';

interface RecordedCase {
  readonly id: string;
  readonly category: string;
  readonly tools: readonly Definition[];
}

interface Scorer {
  readonly correct: (one: RecordedCase, calls: readonly { name: string; arguments: unknown }[]) => boolean;
}

/** A response: its calls, and the check of what ran. */
export interface Recorded {
  readonly tools: readonly Definition[];
  readonly calls: readonly WrittenCall[];
  /** Whether every call names a tool and passes its schema as it was written. */
  readonly sound: boolean;
  /** Whether these are the calls that the leaderboard accepts. */
  readonly accepts: (ran: readonly ToolRun[]) => boolean;
}

const folder = fileURLToPath(new URL('../../../shared/bfcl/', import.meta.url));

/** Whether the recorded responses exist. */
export const hasRecorded = existsSync(`${folder}responses`) && existsSync(`${folder}score.mjs`);

const lines = <T>(file: string): T[] =>
  readFileSync(`${folder}${file}`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

/** Every response with calls, native or as JSON in text, of cases that expect calls. */
export async function recordedAnswers(): Promise<Recorded[]> {
  const { correct } = (await import(`${folder}score.mjs`)) as Scorer;
  const cases = new Map(lines<RecordedCase>('cases.jsonl').map((one) => [one.id, one]));
  return readdirSync(`${folder}responses`).flatMap((file) =>
    lines<{ readonly id: string; readonly result: RecordedResult }>(`responses/${file}`).flatMap(({ id, result }) => {
      const asked = cases.get(id);
      const calls = recordedCalls(result);
      if (!asked || asked.category === 'irrelevance' || !calls) return [];
      const original = new Map(asked.tools.map(({ name }) => [shownAs(name), name]));
      const tools = asked.tools.map((one) => ({ ...one, name: shownAs(one.name) }));
      const named = (ran: readonly ToolRun[]) =>
        ran.map(({ name, input }) => ({ name: original.get(name) ?? name, arguments: input }));
      const sound = calls.every((call) => isSound(call, tools));
      return [{ tools, calls, sound, accepts: (ran: readonly ToolRun[]) => correct(asked, named(ran)) }];
    }),
  );
}

function isSound({ name, arguments: text }: WrittenCall, tools: readonly Definition[]): boolean {
  const tool = tools.find((one) => one.name === name);
  try {
    return tool !== undefined && valid(JSON.parse(text), tool.inputSchema);
  } catch {
    return false;
  }
}
