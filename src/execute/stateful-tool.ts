import type { InferOutput } from '../schema/infer.ts';
import type { Fault } from '../tools/config-error.ts';
import { checkIsDefinition, type Tool, type ToolContext, type ToolDefinition, tool } from '../tools/tool.ts';

/** Definition of a tool with state. */
export interface StatefulDefinition<S, State, Out, Name extends string = string>
  extends Omit<ToolDefinition<S, Out, Name>, 'execute' | 'executor'> {
  /** Creates the state at the first call of a run. */
  readonly create: () => State | Promise<State>;
  /** Disposes the state when the run ends. */
  readonly dispose?: (state: State) => unknown;
  readonly execute: (state: State, input: InferOutput<S>, context: ToolContext) => Out | Promise<Out>;
}

/**
 * Creates a tool whose calls share state during a run: a shell, a browser, a database session.
 *
 * @example
 * statefulTool({
 *   name: 'count', description: 'Counts', inputSchema: z.object({ by: z.number() }),
 *   create: () => ({ sum: 0 }),
 *   execute: (state, { by }) => (state.sum += by),
 * })
 */
export function statefulTool<const S = undefined, State = unknown, Out = unknown, const Name extends string = string>(
  definition: StatefulDefinition<S, State, Out, Name>,
): Tool<InferOutput<S>, Out, Name, S> {
  checkIsDefinition(definition);
  const { create, dispose, execute: run, ...rest } = definition;
  const key = {};
  const executor = {
    kind: 'stateful',
    check: () => faults({ create, run, ...(dispose && { dispose }) }),
    async execute(input: unknown, context: ToolContext): Promise<unknown> {
      const state = await context.scope.use(key, create, dispose);
      return run(state, input as InferOutput<S>, context);
    },
  };
  return tool<S, Out, Name>({ ...(rest as ToolDefinition<S, Out, Name>), executor });
}

const faults = (settings: Readonly<Record<string, unknown>>): Fault[] =>
  Object.entries(settings).flatMap(([field, value]) =>
    typeof value === 'function'
      ? []
      : [{ field, message: `${field} is not a function`, fix: `Set ${field} to a function` }],
  );
