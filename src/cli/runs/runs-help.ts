import { runFlagsHelp } from '../run/run-help.ts';

export const runsHelp = `toolmend runs [ACTION] --store FILE

Looks at the runs that \`toolmend run --store FILE\` kept. Of an id the beginning is
enough.

  list               the newest runs: state, age, turns, calls, repairs (--limit N)
  show ID            a run from its beginning: what was said, called, mended, told
  follow ID          the same, and what comes, until the run ends
  resume ID [PROMPT] take it up again: asks for the calls that wait, says PROMPT,
                     or goes on where it stopped
  fork ID [--at SEQ] begin another run with its events up to this one

resume takes the options of run:

${runFlagsHelp}
Exit code: 0 well, 2 used wrongly; resume ends as run does.
`;
