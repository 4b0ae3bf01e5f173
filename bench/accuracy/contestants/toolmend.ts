import { mend } from '../../../src/mend/mend.ts';
import { toolFromMcp } from '../../../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../../../src/tools/toolbox.ts';
import type { Definition } from '../../../test/damage/definition.ts';
import type { Contestant } from '../contestant.ts';

/** Toolmend with its defaults, or with every tool accepting inferred repairs, even destructive ones. */
export function toolmend(minCertainty?: 'inferred'): Contestant {
  const boxes = new WeakMap<readonly Definition[], Toolbox>();
  const boxOf = (tools: readonly Definition[]): Toolbox => {
    const box =
      boxes.get(tools) ??
      new Toolbox(
        tools.map((one) => made(one, minCertainty)),
        { validate: false },
      );
    boxes.set(tools, box);
    return box;
  };
  return {
    name: minCertainty ? 'Toolmend (accept inferred)' : 'Toolmend',
    how: minCertainty
      ? "the same, with `minCertainty: 'inferred'`: destructive tools also accept inferred repairs"
      : '`mend()` with its defaults',
    packages: [],
    answer: (tools, call) => {
      const outcome = mend(call, boxOf(tools));
      return outcome.status === 'invalid' ? [] : [{ name: outcome.name, input: outcome.input }];
    },
  };
}

const made = ({ name, description, inputSchema, annotations }: Definition, minCertainty: 'inferred' | undefined) => ({
  ...toolFromMcp({ name, description, inputSchema, ...(annotations && { annotations }) }, { trusted: true }),
  ...(minCertainty && { minCertainty }),
});
