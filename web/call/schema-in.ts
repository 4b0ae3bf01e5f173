import type { RunEvent } from '../../src/log/events.ts';
import type { ToolSpec } from '../../src/model/index.ts';

/** The tool definition in the log, if it was recorded. */
export function schemaIn(events: readonly RunEvent[], name: string): ToolSpec | undefined {
  for (const event of events) {
    const found = event.type === 'run.started' ? event.specs?.find((spec) => spec?.name === name) : undefined;
    if (found) return found;
  }
  return undefined;
}
