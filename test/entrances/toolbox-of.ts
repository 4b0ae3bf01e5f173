import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import type { Behaviour, Case, CaseTool } from './case.ts';
import type { SeenCall } from './entrance.ts';

/** What the tools of a case received, and how a tool has its caller stopped. */
export interface Stage {
  readonly ran: SeenCall[];
  readonly stop: () => void;
}

/** A stage on which nobody is stopped. */
export const stage = (stop: () => void = () => {}): Stage => ({ ran: [], stop });

/** The tools of a case, in a toolbox; each writes down what it received. */
export const toolboxOf = ({ tools }: Pick<Case, 'tools'>, on: Stage = stage()): Toolbox =>
  new Toolbox(
    tools.map(({ name, description, inputSchema, effect, timeout, does }) =>
      tool({
        name,
        description,
        inputSchema,
        execute: (input: unknown) => act({ name, does }, input, on),
        ...(effect && { effect }),
        ...(timeout !== undefined && { timeout }),
      }),
    ),
  );

/** Does what a tool of the table does. */
export function act(
  { name, does }: Pick<CaseTool, 'name'> & { does?: Behaviour | undefined },
  input: unknown,
  on: Stage,
): unknown {
  // The tool named `invalid` is told of a call and is not what the call runs.
  if (name !== 'invalid') on.ran.push({ name, input });
  switch (does?.type) {
    case 'throws':
      throw new Error(does.message);
    case 'fails':
      return { ok: false, error: does.error, ...(does.recommendations && { recommendations: does.recommendations }) };
    case 'echoes':
      return JSON.stringify(input);
    case 'stops':
      on.stop();
      return forever;
    case 'hangs':
      return forever;
    default:
      return resultOf(name);
  }
}

const forever = new Promise<never>(() => {});

/** What a tool of the table says when all went well. */
export const resultOf = (name: string): string => `${name} is done`;
