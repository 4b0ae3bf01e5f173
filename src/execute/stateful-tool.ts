import type { Fault } from '../tools/config-error.ts';
import { type InferOutput, type Tool, type ToolContext, type ToolDefinition, tool } from '../tools/tool.ts';

/** What a tool with an instance of its own is made of. */
export interface StatefulDefinition<S, State, Out> extends Omit<ToolDefinition<S, Out>, 'execute' | 'executor'> {
  /** Makes the instance; called once in a run, at the first call. */
  readonly create: () => State | Promise<State>;
  /** Closes it; called when the run ends. */
  readonly dispose?: (state: State) => unknown;
  readonly execute: (state: State, input: InferOutput<S>, context: ToolContext) => Out | Promise<Out>;
}

/**
 * Makes a tool whose calls share one instance for as long as a run lives: a shell, a browser, a database session.
 *
 * @example
 * statefulTool({
 *   name: 'count', description: 'Counts', inputSchema: z.object({ by: z.number() }),
 *   create: () => ({ sum: 0 }),
 *   execute: (state, { by }) => (state.sum += by),
 * })
 */
export function statefulTool<const S = undefined, State = unknown, Out = unknown>(
  definition: StatefulDefinition<S, State, Out>,
): Tool<InferOutput<S>, Out> {
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
  return tool<S, Out>({ ...(rest as ToolDefinition<S, Out>), executor });
}

const faults = (settings: Readonly<Record<string, unknown>>): Fault[] =>
  Object.entries(settings).flatMap(([field, value]) =>
    typeof value === 'function' ? [] : [{ field, message: `${field} is no function`, fix: `Give ${field} a function` }],
  );
