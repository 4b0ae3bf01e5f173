import type { RunEvent } from '../../src/log/event.ts';

/** A tool as the log shows it: its description and its schema. */
export interface LoggedTool {
  readonly name: string;
  readonly description?: string;
  readonly schema?: unknown;
}

/** The tool's definition, where the run's beginning holds it. */
export function schemaIn(events: readonly RunEvent[], name: string): LoggedTool | undefined {
  const started = events.find((event) => event.type === 'run.started') as { readonly specs?: unknown } | undefined;
  const specs = Array.isArray(started?.specs) ? (started.specs as readonly LoggedTool[]) : [];
  return specs.find((spec) => spec?.name === name);
}
