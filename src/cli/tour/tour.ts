import { permissions } from '../../execute/permission-rules.ts';
import type { Decision } from '../../log/events.ts';
import { scripted } from '../../provider/scripted/scripted.ts';
import { agent } from '../../run/agent.ts';
import { approvalLines, approvalPrompt, personLines } from '../run/call-lines.ts';
import { RunScreen } from '../run/run-screen.ts';
import { commandName } from '../shared/flags.ts';
import { colour } from '../terminal/colour.ts';
import { wrap } from '../terminal/layout.ts';
import { canRedraw, type Terminal, widthOf } from '../terminal/terminal.ts';
import { tourPrompt, tourScript } from './script.ts';
import { tourTools } from './tools.ts';

/** The simulated decisions of the user. */
const answers: Readonly<Record<string, { readonly typed: string; readonly decision: Decision }>> = {
  write_file: { typed: 'y', decision: { type: 'allow' } },
  fs_multi_edit: { typed: 'a', decision: { type: 'allow', always: true } },
  delete_folder: { typed: 'n  keep it', decision: { type: 'deny', reason: 'keep it' } },
};

/** Shows a complete run with the embedded model: damaged calls, repairs, feedback and approvals. */
export async function tour({ output, env }: Pick<Terminal, 'output' | 'env'>): Promise<number> {
  const live = canRedraw(output, env);
  const page = { paint: colour(output, env), width: widthOf(output) };
  const { paint } = page;
  const screen = new RunScreen((text) => void output.write(text), { page, live });
  const model = scripted(tourScript(live ? { chunk: 8, pace: 15, delay: 150 } : {}), { model: 'the scripted model' });
  output.write(
    `${wrap('Toolmend: a complete run with a scripted model that makes the usual mistakes.', page.width).join('\n')}\n`,
  );
  output.write(`\n${personLines(tourPrompt, page).join('\n')}\n\n`);
  const run = agent({
    model,
    tools: tourTools(),
    permissions: permissions({ mode: 'ask' }),
    approve: async (call) => {
      await new Promise((resolve) => setTimeout(resolve, live ? 250 : 0));
      screen.hold();
      const { typed, decision } = answers[call.name] ?? { typed: 'y', decision: { type: 'allow' } };
      output.write(`${approvalLines(call, page)}${approvalPrompt(call, page)}${paint.bold(typed)}\n`);
      screen.release();
      return decision;
    },
  }).run(tourPrompt);
  for await (const event of run) screen.show(event);
  const { end } = await run.result;
  output.write(`
Every repair is recorded, and nothing runs on a guess.
Your own tools:  ${paint.cyan(`${commandName(env)} run --help`)}
A single call:   ${paint.cyan(`${commandName(env)} mend "{path: 'a.ts',}"`)}
`);
  return end === 'done' ? 0 : 1;
}
