import { parseArgs } from 'node:util';
import { harmless } from '../../log/shown/visible.ts';
import { eventsOfRun } from '../../log/store.ts';
import { preview } from '../../mend/preview.ts';
import type { Page } from '../mend/show-outcome.ts';
import { loadTools } from '../run/load-tools.ts';
import { openStore } from '../run/open-store.ts';
import { describeRepair } from '../shared/describe-repair.ts';
import { colour } from '../terminal/colour.ts';
import { truncateTo, wrap } from '../terminal/layout.ts';
import { processTerminal, type Terminal, widthOf } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { type LoggedCall, loggedCalls, type Replayed, type ReplayedOutcome, replayCall } from './replay-call.ts';

export const replayHelp = `Usage: toolmend replay [OPTIONS] STORE

Check all logged calls again with this version of Toolmend, as the model wrote
them, and show the outcomes that changed. Doesn't run any tools.

Options:
  --tools FILE   tools, as for 'toolmend run' (default: the schemas in the log;
                 without them, replay checks only syntax and tool names)
  --json         print one line for each call: {"run", "seq", "name", "type",
                 "was", "now"}; type is same, changed or unjudged
  -h, --help     show this help

Exit codes: 0 nothing changed, 1 outcomes changed, 2 usage error.
`;

const options = {
  tools: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const most = 1_000_000;

/** `toolmend replay STORE`: shows how this version handles logged calls. */
export async function replayCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const { output, env } = terminal;
  if (values.help) {
    output.write(replayHelp);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('Missing STORE. Usage: toolmend replay STORE');
  const toolbox = values.tools && (await loadTools(values.tools)).toolbox;
  const store = await openStore(file, { mustExist: true });
  const page = { paint: colour(output, env), width: widthOf(output, 120) };
  const counts = { same: 0, changed: 0, unjudged: 0 };
  const reasons = new Map<string, number>();
  try {
    for (const { run } of await store.runs({ limit: most })) {
      for (const logged of loggedCalls(await eventsOfRun(store, run))) {
        const replayed = replayCall(logged, toolbox);
        counts[replayed.type] += 1;
        const { seq, name } = logged.event;
        if (values.json) output.write(`${JSON.stringify({ run, seq, name, ...replayed })}\n`);
        else if (replayed.type === 'changed') output.write(`${showChange(logged, replayed, page)}\n`);
        else if (replayed.type === 'unjudged') reasons.set(replayed.why, (reasons.get(replayed.why) ?? 0) + 1);
      }
    }
  } finally {
    await store.close();
  }
  if (!values.json) output.write(totals(counts, reasons));
  return counts.changed > 0 ? 1 : 0;
}

type Counts = Readonly<Record<'same' | 'changed' | 'unjudged', number>>;

function totals({ same, changed, unjudged }: Counts, reasons: ReadonlyMap<string, number>): string {
  const all = same + changed + unjudged;
  const lines = [
    `${all} ${all === 1 ? 'call' : 'calls'}: ${same} unchanged, ${changed} changed, ${unjudged} not checked`,
  ];
  for (const [why, count] of reasons) lines.push(`  ${count} not checked: ${why}`);
  return `${lines.join('\n')}\n`;
}

/** A call whose result changed: what was written, the old result and the new one. */
export function showChange(
  { event }: LoggedCall,
  { was, now }: Extract<Replayed, { was: ReplayedOutcome }>,
  page: Page,
): string {
  const { paint, width } = page;
  const { run, seq, call } = event;
  const written = typeof call.arguments === 'string' ? call.arguments : preview(call.arguments, 400);
  const lines = [
    `${paint.yellow('≠')} ${paint.bold(harmless(call.name))}  ${paint.dim(`${run} ${seq}`)}`,
    `  ${paint.dim(truncateTo(`wrote: ${harmless(written)}`, width - 2))}`,
    ...told('was', was, width),
    ...told('now', now, width),
  ];
  return `${lines.join('\n')}\n`;
}

function told(when: string, judged: ReplayedOutcome, width: number): string[] {
  const { status, name, input, errorType, problems, repairs } = judged;
  const head =
    status === 'invalid' ? `refused: ${errorType}` : `${status} ${harmless(`${name} ${preview(input, 400)}`)}`;
  const why =
    status === 'invalid'
      ? problems.map(harmless)
      : repairs.map((repair) => `${describeRepair(repair)} (${repair.certainty})`);
  const lines = [head, ...why.slice(0, 6)].flatMap((text, index) =>
    wrap(text, width - 9).map((line) => (index === 0 ? line : `  ${line}`)),
  );
  return lines.map((line, index) => `  ${index === 0 ? when : '   '}  ${line}`);
}
