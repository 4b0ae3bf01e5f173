import { abandoned, untilAborted } from '../../execute/run-tool.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { isObject, ownCopy } from '../../json/value.ts';
import type { RunEnd } from '../../log/events.ts';
import { history } from '../../log/fold.ts';
import { isHistory, pairFault } from '../check-history.ts';
import { type RunContext, stopSignal } from '../context.ts';
import type { PreparedStep, PrepareStep, Step } from './step.ts';

/** The end of a run that the hook stopped. */
interface StoppedStep {
  readonly end: RunEnd;
  readonly message: string;
}

/**
 * Calls the hook before a step. Returns undefined if the run was stopped in the meantime.
 *
 * @throws ToolmendError if the hook throws or returns an invalid step
 */
export async function prepareStep(
  context: RunContext,
  hook: PrepareStep,
): Promise<PreparedStep | StoppedStep | undefined> {
  const { id, state, model, tools } = context;
  const signal = stopSignal(context);
  const step: Step = {
    run: id,
    step: state.turn + 1,
    messages: ownCopy(history(state)),
    calls: ownCopy([...state.calls.values()]),
    usage: state.usage,
    cost: state.cost,
    model,
    tools: tools.map(({ name }) => name),
    signal,
  };
  let prepared: unknown;
  try {
    prepared = await untilAborted(hook(step), signal);
  } catch (error) {
    throw new ToolmendError('hook_failed', `prepareStep failed: ${messageOf(error)}`, { cause: error });
  }
  if (prepared === abandoned) return undefined;
  if (!isObject(prepared)) return {};
  const plan = prepared as PreparedStep;
  if (plan.stop) return { end: 'stopped', message: plan.stop === true ? 'prepareStep stopped the run' : plan.stop };
  const fault = faultOf(plan, step);
  if (fault) throw new ToolmendError('hook_failed', `prepareStep returned an invalid step: ${fault}`);
  return plan;
}

const choices: ReadonlySet<unknown> = new Set(['auto', 'none', 'required']);

function faultOf(step: PreparedStep, { tools }: Step): string | undefined {
  const { model, instructions, messages, activeTools, toolChoice, modelSettings } = step;
  if (instructions !== undefined && typeof instructions !== 'string') return 'instructions is not a text';
  if (activeTools !== undefined && !Array.isArray(activeTools)) return 'activeTools is not a list of names';
  if (messages !== undefined && !isHistory(messages)) return 'messages is not a list of messages { role, parts }';
  if (toolChoice !== undefined && !choices.has(toolChoice) && !(isObject(toolChoice) && 'tool' in toolChoice))
    return `toolChoice is not 'auto', 'none', 'required' or { tool }`;
  if (modelSettings !== undefined && !isObject(modelSettings)) return 'modelSettings is not an object';
  if (model !== undefined && typeof model?.stream !== 'function') return 'model has no stream()';
  const unknown = activeTools?.find((name) => !tools.includes(name));
  if (unknown !== undefined) return `there is no tool '${unknown}' to activate`;
  const chosen = isObject(toolChoice) && 'tool' in toolChoice ? String(toolChoice.tool) : undefined;
  if (chosen !== undefined && !(activeTools ?? tools).includes(chosen)) return `the tool '${chosen}' is not active`;
  if (!messages) return undefined;
  return pairFault(messages) ?? (messages.some(({ role }) => role === 'user') ? undefined : 'there is no user message');
}
