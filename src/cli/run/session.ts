import { rowsFor } from '../../dialect/rows-for.ts';
import type { Approver, Permissions } from '../../exec/permission.ts';
import { type PermissionMode, permissions } from '../../exec/permissions.ts';
import { messageOf } from '../../exec/tool-result.ts';
import { memoryStore } from '../../log/memory-store.ts';
import type { Store } from '../../log/store.ts';
import { scripted } from '../../provider/scripted/scripted.ts';
import { type Agent, agent } from '../../run/agent.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { Model } from '../../turn/turn.ts';
import { colour, harmless } from '../colour.ts';
import { canRedraw, hasPerson, type Terminal, widthOf } from '../terminal.ts';
import { tourScript } from '../tour/tour-script.ts';
import { tourTools } from '../tour/tour-tools.ts';
import { UsageError } from '../usage-error.ts';
import { wrap } from '../wrap.ts';
import { approver } from './approver.ts';
import { chooseModel, keyNames } from './choose-model.ts';
import { demoScript } from './demo-script.ts';
import { Interrupts } from './interrupts.ts';
import { loadMcp } from './load-mcp.ts';
import { loadTools } from './load-tools.ts';
import { openStore } from './open-store.ts';
import type { RunValues } from './run-flags.ts';
import { RunScreen } from './run-screen.ts';

/** An agent with everything around it: who draws, who asks, who stops. */
export interface Session {
  readonly agent: Agent;
  readonly store: Store;
  readonly terminal: Terminal;
  readonly values: RunValues;
  readonly interrupts: Interrupts;
  /** Undefined where there is nobody to ask. */
  readonly approve: Approver | undefined;
  readonly permissions: Permissions;
  readonly screen: Pick<RunScreen, 'know' | 'show' | 'hold' | 'release'>;
  /** Tells a person something beside the run. */
  note(text: string): void;
  close(): Promise<void>;
}

/** Makes an agent of what a command was given. */
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
      ...{ model, tools: toolbox, store, permissions: rules, budgets },
      ...(approve && { approve }),
      ...(instructions !== undefined && { instructions }),
    }),
    ...{ store, terminal, values, interrupts, approve, note, permissions: rules },
    screen: values.json ? eventLines(output) : screen,
    async close() {
      interrupts.close();
      await leave();
      await store.close();
    },
  };
}

/** In place of a screen: one event per line. */
const eventLines = (output: Terminal['output']): Session['screen'] => ({
  show: (event) => void output.write(`${JSON.stringify(event)}\n`),
  know: () => {},
  hold: () => {},
  release: () => {},
});

/** A script in the model's place; without tools it brings those of the tour. */
function scriptedModel(toolbox: Toolbox, watched: boolean, note: (text: string) => void): Model {
  const manner = watched ? { chunk: 8, pace: 10 } : {};
  note(`A script plays the model. To ask a real one, set ${keyNames()} or name a --provider, and a --model.`);
  if (toolbox.size > 0) return scripted(demoScript(toolbox, manner));
  for (const one of tourTools()) toolbox.add(one);
  return scripted(tourScript(manner));
}

const modes: readonly string[] = ['auto', 'ask', 'readonly'] satisfies PermissionMode[];

function permissionsOf({ mode = 'ask', allow = [], deny = [], ask = [] }: RunValues): Permissions {
  if (!modes.includes(mode)) throw new UsageError(`there is no mode '${mode}'; there are: ${modes.join(', ')}`);
  return asUsage(() => permissions({ mode: mode as PermissionMode, allow, deny, ask }));
}

function budgetsOf({ 'max-steps': word }: RunValues): { steps?: number } {
  if (word === undefined) return {};
  const steps = Number(word);
  if (!Number.isInteger(steps) || steps < 1) throw new UsageError(`--max-steps is a number from 1, not '${word}'`);
  return { steps };
}

const checkDialect = (name: string | undefined): unknown => asUsage(() => rowsFor(name));

/** What a setting's own check says is told as a wrong use. */
function asUsage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
