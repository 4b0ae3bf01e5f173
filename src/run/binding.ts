import { exactJson } from '../execute/tool-result.ts';
import { ToolmendError } from '../json/toolmend-error.ts';
import { equal, hasOwn, ownCopy } from '../json/value.ts';
import type { AgentIdentity, LiveEvent, ResumePolicy, RunEvent, RunStarted } from '../log/events.ts';
import type { RedactRun } from '../log/journal.ts';
import { type Redactor, redactor } from '../log/redact/redact.ts';
import { type RunState, safeSplit } from '../log/state.ts';
import type { Model } from '../model/index.ts';
import { ConfigurationValidationError } from '../tools/config-error.ts';
import { keysInOrder, specOf, toolFingerprint } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';

/** The name of agents without one. */
export const defaultAgentName = 'default';

/** The agent that runs belong to. */
export interface Binding {
  readonly name: string;
  readonly model: Model;
  readonly instructions: string | undefined;
  readonly toolbox: Toolbox;
}

const policies: Readonly<Record<ResumePolicy, 1>> = { same: 1, compatible: 1, any: 1 };

/** Throws unless a policy exists. A misspelt one would continue every run. */
export const checkResumePolicy = (policy: ResumePolicy): void => {
  if (hasOwn(policies, policy)) return;
  throw new ToolmendError(
    'invalid_option',
    `Invalid policy ${JSON.stringify(policy)}: expected ${Object.keys(policies).join(', ')}.`,
  );
};

const names = /^[\w.-]{1,64}$/;

/** Throws if a name can't be used, for example because it can't be part of a queue's name. */
export function checkAgentName(name: string): void {
  if (typeof name === 'string' && names.test(name)) return;
  throw new ConfigurationValidationError(
    `Invalid name ${JSON.stringify(name)}: expected 1 to 64 letters, digits, dots, hyphens or underscores.`,
    { configType: 'agent', field: 'name' },
  );
}

/** The name of an agent, and a hash of its model, its instructions and its tool definitions as they are now. */
export function identify(binding: Binding): AgentIdentity {
  const { name, model, instructions, toolbox } = binding;
  const tools = toolbox.list().map(toolFingerprint).sort();
  const written = JSON.stringify([model.name, model.provider, instructions ?? '', tools]);
  const known = identified.get(binding);
  const fingerprint = known?.written === written ? known.fingerprint : hash(written);
  identified.set(binding, { written, fingerprint });
  return { name, fingerprint };
}

/** The last fingerprint of each agent, with what it was made of. Few agents change between two runs. */
const identified = new WeakMap<Binding, { readonly written: string; readonly fingerprint: string }>();

const hash = (text: string): string => {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
};

/**
 * Whether an agent may continue a run. Returns what to record: the agent, if it has changed.
 *
 * @throws ToolmendError `agent_mismatch` if it must not
 */
export function bind(
  state: RunState,
  binding: Binding,
  policy: ResumePolicy,
  redact: RedactRun = (event) => event,
): Pick<Extract<RunEvent, { type: 'run.resumed' }>, 'agent' | 'policy'> {
  const { agent: known, started } = state;
  // Runs of earlier versions, of the proxy and of the gateway have no agent.
  if (!known || !started) return {};
  const { name } = binding;
  if (known.name !== name) throw mismatch(state, `it belongs to the agent '${known.name}', and this one is '${name}'`);
  const agent = identify(binding);
  if (agent.fingerprint === known.fingerprint) return {};
  if (policy === 'same')
    throw mismatch(state, 'the model, the instructions or the tools have changed, and the policy is same');
  const changed =
    policy === 'compatible' ? changedTool(state.run, started, { toolbox: binding.toolbox, redact }) : undefined;
  if (changed !== undefined) throw mismatch(state, `its tool '${changed}' is missing or takes other arguments now`);
  return { agent, policy };
}

const mismatch = ({ run }: RunState, reason: string): ToolmendError =>
  new ToolmendError(
    'agent_mismatch',
    `Can't continue run ${run}: ${reason}. Use the agent that started it, or another policy.`,
  );

/** The first tool of a run that an agent doesn't have, or whose arguments have another schema now. */
function changedTool(
  run: string,
  { tools, specs = [], model, context }: RunStarted,
  { toolbox, redact }: { readonly toolbox: Toolbox; readonly redact: RedactRun },
): string | undefined {
  return tools.find((name) => {
    const tool = toolbox.get(name);
    if (!tool) return true;
    const spec = specs.find((one) => one.name === name);
    if (spec?.type !== 'function') return false;
    const now = specOf(tool);
    if (ordered(spec.schema) === ordered(now.schema)) return false;
    // The log has a schema with a secret only without it.
    const event = { type: 'run.started', model, tools, specs: [now], run, seq: 1, at: 0 } as const;
    const [clean] = (redact(event, { run, context }) as RunStarted).specs ?? [];
    return clean?.type !== 'function' || ordered(clean.schema) !== ordered(spec.schema);
  });
}

const ordered = (schema: unknown): string => JSON.stringify(schema ?? null, keysInOrder);

/** The id of the run that was submitted with a key. It is the same each time. */
export const keyedRunId = (agent: string, key: string): string => `run_${hash(JSON.stringify([agent, key]))}`;

/** Tells a `redact` function which run an event belongs to. */
export const ofRun = (
  redact: RedactRun,
  run: { readonly id: string; readonly state: RunState },
): ((event: RunEvent) => RunEvent) => {
  const { id, state } = run;
  const context = (event: RunEvent): unknown => (event.type === 'run.started' ? event.context : state.started?.context);
  const { heldFrom } = redact as Partial<Redactor>;
  return Object.assign(
    (event: RunEvent) => redact(event, { run: id, context: context(event) }),
    heldFrom && { heldFrom },
  );
};

/** The context as the log stores it, because tools must get the same one in every process. */
export function checkContext(
  context: unknown,
  redact: ((event: RunEvent) => RunEvent) | undefined,
  run: string,
): unknown {
  if (context === undefined) return undefined;
  const copy = jsonCopy(context);
  const event = { type: 'run.started', model: { name: '', provider: '' }, tools: [], context: ownCopy(copy) } as const;
  const stored = redact ? redact({ ...event, run, seq: 1, at: 0 }) : event;
  if (copy === undefined || !('context' in stored) || !equal(stored.context, copy))
    throw new ToolmendError(
      'unstorable_context',
      'The context of the run contains a secret, or a value that JSON cannot express, and the log stores neither. Pass its name or its id instead.',
    );
  return copy;
}

/** A copy that went through JSON; undefined if that changes the value, or is impossible. */
function jsonCopy(value: unknown): unknown {
  try {
    const copy: unknown = JSON.parse(exactJson(value) as string);
    return equal(copy, value) ? copy : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The offset up to which live text is safe. A custom `redact` without `heldFrom` is applied to the text to find out.
 */
export function safeOffset(redact: (event: RunEvent) => RunEvent, run: string): (text: string) => number {
  const own = (redact as Partial<Redactor>).heldFrom;
  if (own) return own;
  const live = redact as unknown as (event: LiveEvent) => { readonly text?: unknown };
  const byOwn = safeSplit((text) => String(live({ type: 'text.delta', run, turn: 0, text }).text));
  const byForm = redactor().heldFrom;
  return (text) => {
    try {
      return byOwn(text.slice(0, byForm(text)));
    } catch {
      return 0;
    }
  };
}
