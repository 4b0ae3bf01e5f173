import { rowsFor } from '../../dialect/detect.ts';
import { type Approver, type PermissionMode, type Permissions, permissions } from '../../execute/permission-rules.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { memoryStore } from '../../log/memory-store.ts';
import { harmless, harmlessJson } from '../../log/shown/visible.ts';
import type { Store } from '../../log/store.ts';
import { exampleOf } from '../../mend/feedback/example.ts';
import type { Model, ModelRequest } from '../../model/index.ts';
import type { ClientOptions } from '../../provider/client/options.ts';
import { anthropic, gemini, ollama, openai } from '../../provider/client/providers.ts';
import { services } from '../../provider/client/services.ts';
import type { Script, ScriptedTurn } from '../../provider/scripted/script.ts';
import { scripted } from '../../provider/scripted/scripted.ts';
import { textModel } from '../../provider/text-model.ts';
import { type Agent, agent } from '../../run/agent.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { colour } from '../terminal/colour.ts';
import { wrap } from '../terminal/layout.ts';
import { canRedraw, hasPerson, type Terminal, widthOf } from '../terminal/terminal.ts';
import { tourScript } from '../tour/script.ts';
import { tourTools } from '../tour/tools.ts';
import { UsageError } from '../usage-error.ts';
import { approver, Interrupts } from './approver.ts';
import type { RunValues } from './flags.ts';
import { loadMcp } from './load-mcp.ts';
import { loadTools } from './load-tools.ts';
import { openStore } from './open-store.ts';
import { RunScreen } from './run-screen.ts';

/** An agent with its screen, approver and interrupt handling. */
export interface Session {
  readonly agent: Agent;
  readonly store: Store;
  readonly terminal: Terminal;
  readonly values: RunValues;
  readonly interrupts: Interrupts;
  /** Undefined without a user. */
  readonly approve: Approver | undefined;
  readonly permissions: Permissions;
  readonly screen: Pick<RunScreen, 'know' | 'show' | 'hold' | 'release'>;
  /** Shows a message next to the run. */
  note(text: string): void;
  close(): Promise<void>;
}

/** Creates an agent from a command's options. */
export async function openSession(values: RunValues, terminal: Terminal): Promise<Session> {
  const { output, errors, env } = terminal;
  const paint = colour(errors, env);
  const note = (text: string): void => {
    const lines = errors.isTTY ? wrap(harmless(text), widthOf(errors)) : [harmless(text)];
    errors.write(`${lines.map(paint.dim).join('\n')}\n`);
  };
  checkDialect(values.dialect);
  const chosen = chooseModel(values, env);
  const rules = permissionsOf(values);
  const budgets = budgetsOf(values);
  const { toolbox, notices } = await loadTools(values.tools ?? []);
  const store = values.store === undefined ? memoryStore() : await openStore(values.store);
  const leave = await loadMcp(values.mcp ?? [], toolbox, { env, note });
  const model = chosen === 'scripted' ? scriptedModel(toolbox, canRedraw(output, env), note) : chosen;
  for (const notice of notices) note(notice);

  const interrupts = new Interrupts(terminal);
  const page = { paint: colour(output, env), width: widthOf(output) };
  const screen = new RunScreen((text) => void output.write(text), { page, live: canRedraw(output, env) });
  const asks = !values.json && hasPerson(terminal);
  const onInterrupt = (): void => interrupts.press();
  const approve = asks ? approver({ terminal, page, screen, onInterrupt }) : undefined;
  const { instructions } = values;
  return {
    agent: agent({
      model,
      tools: toolbox,
      store,
      permissions: rules,
      budgets,
      ...(values.agent !== undefined && { name: values.agent }),
      ...(approve && { approve }),
      ...(instructions !== undefined && { instructions }),
    }),
    store,
    terminal,
    values,
    interrupts,
    approve,
    note,
    permissions: rules,
    screen: values.json ? eventLines(output) : screen,
    async close() {
      interrupts.close();
      await leave();
      await store.close();
    },
  };
}

/** Writes one event per line instead of a screen. */
const eventLines = (output: Terminal['output']): Session['screen'] => ({
  show: (event) => void output.write(`${harmlessJson(event)}\n`),
  know: () => {},
  hold: () => {},
  release: () => {},
});

/** A scripted model. Without tools it uses those of the tour. */
function scriptedModel(toolbox: Toolbox, watched: boolean, note: (text: string) => void): Model {
  const manner = watched ? { chunk: 8, pace: 10 } : {};
  note(`Using a scripted model. For a real one, set ${keyNames()} or --provider, and --model.`);
  if (toolbox.size > 0) return scripted(demoScript(toolbox, manner));
  for (const one of tourTools()) toolbox.add(one);
  return scripted(tourScript(manner));
}

const modes: readonly string[] = ['auto', 'ask', 'readonly'] satisfies PermissionMode[];

function permissionsOf({ mode = 'ask', allow = [], deny = [], ask = [] }: RunValues): Permissions {
  if (!modes.includes(mode)) throw new UsageError(`Unknown mode '${mode}'. Expected one of: ${modes.join(', ')}`);
  return asUsage(() => permissions({ mode: mode as PermissionMode, allow, deny, ask }));
}

function budgetsOf({ 'max-steps': word }: RunValues): { steps?: number } {
  if (word === undefined) return {};
  const steps = Number(word);
  if (!Number.isInteger(steps) || steps < 1)
    throw new UsageError(`Invalid --max-steps '${word}': expected an integer of 1 or more`);
  return { steps };
}

const checkDialect = (name: string | undefined): unknown => asUsage(() => rowsFor(name));

/** Converts configuration errors to usage errors. */
function asUsage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

const makers: Readonly<Record<keyof typeof services, (options: ClientOptions) => Model>> = {
  openai,
  anthropic,
  gemini,
  ollama,
};

type Served = keyof typeof makers;

const names = Object.keys(makers) as Served[];

/** The model of these options; `scripted` for a scripted one. Throws if there is none. */
function chooseModel(values: RunValues, env: NodeJS.ProcessEnv): Model | 'scripted' {
  const { model, 'base-url': baseURL, dialect } = values;
  const provider = values.provider ?? servedHere(env, baseURL);
  if (provider === 'scripted') {
    if (model !== undefined && values.provider === undefined) {
      throw new UsageError(`No API key for ${model}. Set ${keyNames()}, or choose a --provider`);
    }
    return 'scripted';
  }
  if (!isServed(provider))
    throw new UsageError(`Unknown provider '${provider}'. Expected one of: ${[...names, 'scripted'].join(', ')}`);
  if (model === undefined) throw new UsageError(`Missing --model, a model of ${services[provider].label}`);
  const { needsKey, keyVariables, baseVariables } = services[provider];
  const isElsewhere = baseURL !== undefined || isSet(env, baseVariables);
  if (needsKey && !isElsewhere && !isSet(env, keyVariables)) {
    throw new UsageError(`${keyVariables[0]} is not set. ${services[provider].label} requires an API key`);
  }
  const made = makers[provider]({ model, ...(baseURL !== undefined && { baseURL }) });
  return dialect === undefined ? made : textModel(made, { dialect });
}

/** Environment variables for keys. */
const keyNames = (): string =>
  names
    .filter((name) => services[name].needsKey)
    .map((name) => services[name].keyVariables[0])
    .join(', ');

/** The default provider: the one with a key, or the API format of local servers. */
function servedHere(env: NodeJS.ProcessEnv, baseURL: string | undefined): string {
  if (baseURL !== undefined) return 'openai';
  return names.find((name) => isSet(env, services[name].keyVariables)) ?? 'scripted';
}

const isServed = (name: string): name is Served => Object.hasOwn(makers, name);

const isSet = (env: NodeJS.ProcessEnv, variables: readonly string[]): boolean => variables.some((name) => env[name]);

type Manner = Pick<ScriptedTurn, 'chunk' | 'pace'>;

const over = 'The script ends here. To continue, set an API key and choose a model.';

/**
 * A scripted model for any tools. It calls a read-only tool, first without arguments, then with badly written ones.
 * Tools that write are never called.
 */
function demoScript(toolbox: Toolbox, manner: Manner = {}): Script {
  const tool = toolbox.list().find(({ effect, schema }) => effect === 'read' && schema.json !== undefined);
  if (!tool)
    return () => ({
      ...manner,
      text: `I am a scripted model. I call only read-only tools, and there are none here. ${over}`,
    });
  return (question) => ({ ...manner, ...play(tool, resultsSoFar(question)) });
}

function play(tool: Tool, results: number): ScriptedTurn {
  if (results === 0) {
    return { text: `Let me try ${tool.name}.`, calls: [{ name: tool.name, arguments: '{}' }] };
  }
  if (results > 1) return { text: over };
  // A placeholder in angle brackets would be refused.
  const example = JSON.stringify(exampleOf(tool.schema.json ?? {})).replace(/"<([^"<>]*)>/g, '"($1)');
  const sloppy = `\`\`\`json\n${example.replace(/(.)\}$/, (all, last) => (last === '{' ? all : `${last},}`))}\n\`\`\``;
  return { text: 'Now with badly written arguments.', calls: [{ name: tool.name, arguments: sloppy }] };
}

/** Number of results since the last user message. */
function resultsSoFar({ messages }: ModelRequest): number {
  const spoken = messages.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some(({ type }) => type === 'text'),
  );
  return messages.slice(spoken + 1).flatMap(({ parts }) => parts.filter(({ type }) => type === 'result')).length;
}
