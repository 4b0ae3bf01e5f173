import { tourTools } from '../../src/cli/tour/tools.ts';
import { permissions } from '../../src/execute/permission-rules.ts';
import { type InspectorOptions, type RunningInspector, startInspector } from '../../src/inspect/index.ts';
import type { LiveEvent, RunEvent } from '../../src/log/events.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Store } from '../../src/log/store.ts';
import type { Script } from '../../src/provider/scripted/script.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { type Agent, agent } from '../../src/run/agent.ts';
import type { Run } from '../../src/run/run.ts';

/** A store, an inspector of it, and a way to play runs into it while somebody watches. */
export interface Stage {
  readonly url: string;
  readonly store: Store;
  /** Plays a run; its live words reach the page. */
  play(script: Script, asked: string, model?: string): Run;
  close(): Promise<void>;
}

/** Sets a stage: everything is real but the model, which plays a script. */
export async function stage(options: Partial<InspectorOptions> = {}): Promise<Stage> {
  const store = options.store ?? memoryStore();
  const listeners = new Set<(event: LiveEvent) => void>();
  const agents = new Map<string, Agent>();
  const follow = async (run: Run): Promise<void> => {
    for await (const event of run) if (!('seq' in event)) for (const listen of listeners) listen(event);
  };
  const inspector: RunningInspector = await startInspector({
    canApprove: true,
    // What was decided on the page is on record; the run is taken up by it.
    onDecision: (run) =>
      void agents
        .get(run)
        ?.resume(run)
        .then((taken) => follow(taken.continue())),
    live: (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    ...options,
    store,
  });
  return {
    url: inspector.url,
    store,
    play: (script, asked, model = 'scripted') => {
      const made = agent({
        model: scripted(script, { model }),
        tools: tourTools(),
        store,
        permissions: permissions({ ask: ['delete_folder'] }),
        budgets: { steps: 500 },
      });
      const run = made.run(asked);
      agents.set(run.id, made);
      void follow(run);
      return run;
    },
    close: () => inspector.close(),
  };
}

/** Writes events of a run straight into a store, whatever they hold. */
export async function recordRaw(store: Store, run: string, facts: readonly object[], at = Date.now()): Promise<void> {
  await store.append(facts.map((fact, index) => ({ ...fact, run, seq: index + 1, at: at + index }) as RunEvent));
}
