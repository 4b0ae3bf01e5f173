import type { Run } from '../../run/run.ts';
import { colour } from '../colour.ts';
import { askLine } from './ask-line.ts';
import { drive } from './drive.ts';
import type { Session } from './session.ts';

/** A conversation at the prompt, until nothing more is said. */
export async function converse(run: Run, session: Session): Promise<number> {
  const { terminal, note, screen } = session;
  const prompt = `${colour(terminal.output, terminal.env).cyan('›')} `;
  note('Say something; Ctrl-C stops what is under way, Ctrl-D ends.');
  terminal.output.write('\n');
  for (;;) {
    screen.hold();
    const line = await askLine(terminal, prompt);
    screen.release();
    if (line === undefined) return 0;
    if (line.trim() === '') continue;
    run.send(line);
    await drive(run, session);
  }
}
