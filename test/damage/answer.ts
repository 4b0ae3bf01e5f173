/** The library's answer to a trial: the same `mend()` that every entrance calls. */
import { mend } from '../../src/mend/mend.ts';
import { toolFromMcp } from '../../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import type { Definition } from './definition.ts';
import type { Answer } from './judge.ts';
import type { Trial } from './trial.ts';

const boxes = new Map<string, Toolbox>();

/** Toolboxes are kept by their tools' names and annotations, the only things in which trials of one table differ. */
const boxOf = (tools: readonly Definition[], table: string): Toolbox => {
  const key = table + tools.map((tool) => `${tool.name} ${JSON.stringify(tool.annotations)}`).join('|');
  let box = boxes.get(key);
  if (box === undefined) {
    box = new Toolbox(
      tools.map(({ name, description, inputSchema, annotations }) =>
        toolFromMcp({ name, description, inputSchema, ...(annotations && { annotations }) }, { trusted: true }),
      ),
      { validate: false },
    );
    boxes.set(key, box);
  }
  return box;
};

/** Mends the trial's call; `table` tells apart tables whose tools bear the same names. */
export const answer = (trial: Trial, table = ''): Answer => {
  const outcome = mend(trial.call, boxOf(trial.tools, table));
  return {
    status: outcome.status,
    name: outcome.name,
    input: outcome.input,
    errorType: outcome.status === 'invalid' ? outcome.errorType : undefined,
    repairs: outcome.repairs,
    problems: outcome.problems,
  };
};
