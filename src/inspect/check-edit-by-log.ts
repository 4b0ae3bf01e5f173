import { toolFingerprint } from '../exec/tool-fingerprint.ts';
import type { ApprovalRequested } from '../log/event.ts';
import type { Store } from '../log/store.ts';
import { checkEdit } from '../run/invalid-edit.ts';
import { tool } from '../tool/tool.ts';
import { Toolbox } from '../tool/toolbox.ts';
import type { ToolSpec } from '../turn/turn.ts';

/**
 * Checks edited arguments against the definition a run recorded, so that a person hears of problems at once. Where the log
 * does not hold the definition that was asked about, whoever takes the run up checks them.
 *
 * @throws InvalidEdit where they do not fit
 */
export async function checkEditByLog(store: Store, run: string, callId: string, input: unknown): Promise<void> {
  let specs: readonly ToolSpec[] = [];
  let asked: ApprovalRequested | undefined;
  for await (const event of store.read(run)) {
    if (event.type === 'run.started') specs = event.specs ?? [];
    if (event.type === 'approval.asked' && event.callId === callId) asked = event;
  }
  const { name, effect, fingerprint } = asked ?? {};
  const spec = specs.find((one) => one.name === name);
  if (spec?.type !== 'function' || !effect) return;
  const { description = '', schema } = spec;
  const known = tool({ name: spec.name, description, effect, ...(schema && { input: schema }) });
  if (toolFingerprint(known) !== fingerprint) return;
  checkEdit(spec.name, input, { toolbox: new Toolbox([known], { definitions: 'given' }) });
}
