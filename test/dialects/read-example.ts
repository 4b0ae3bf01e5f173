import { readCalls } from '../../src/dialect/read-calls.ts';
import type { Dialect } from '../../src/dialect/types.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import type { Example } from './example.ts';

/** Names of tools are markers in some rows, so that every example's tools are there. */
const toolboxOf = (example: Example): Toolbox =>
  new Toolbox(
    [...new Set(example.calls.map(({ name }) => name))].map((name) => tool({ name, description: '' })),
    { validate: false },
  );

/** What an example is read as, in a dialect of the table, a row of its own, or whichever is found. */
export const readExample = (example: Example, dialect: string | Dialect, chunk?: number) => {
  const reading = readCalls(example.text, toolboxOf(example), {
    dialect,
    reasoningOpen: example.reasoningOpen === true,
    ...(chunk && { chunk }),
  });
  return {
    calls: reading.calls.map(({ name, input, status }) => ({ name, arguments: input, status })),
    left: reading.text.trim(),
    reasoning: (reading.reasoning ?? '').trim(),
  };
};

/** What it must be read as. */
export const wantedOf = ({ calls, left = '', reasoning = '', refused = [], faulty = false }: Example) => ({
  calls: calls.map((call, index) => ({
    ...call,
    status: refused.includes(index) ? 'invalid' : faulty ? 'mended' : 'ok',
  })),
  left,
  reasoning,
});
