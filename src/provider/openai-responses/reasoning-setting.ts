import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { ReasoningSetting } from '../../turn/turn.ts';
import { layOver, passthroughFields, present } from '../carry.ts';
import type { Warning } from '../wire.ts';
import { format } from './format.ts';

/** Reads `reasoning`: how much the model is to think. */
export function readReasoningSetting(wire: JsonValue | undefined): ReasoningSetting | undefined {
  if (!isObject(wire)) return undefined;
  const { effort } = wire;
  if (effort === 'none') return { enabled: false, ...passthroughFields(format, wire, ['effort']) };
  if (typeof effort !== 'string') return { enabled: true, ...passthroughFields(format, wire, []) };
  return { enabled: true, effort, ...passthroughFields(format, wire, ['effort']) };
}

/** Writes `reasoning`; the wire knows words for the effort, and no number of tokens. */
export function writeReasoningSetting(setting: ReasoningSetting, losses: Warning[]): JsonObject {
  if (setting.budget !== undefined)
    losses.push({ where: 'reasoning.budget', what: 'This wire counts no tokens of thought' });
  const effort = setting.enabled ? setting.effort : 'none';
  return layOver(format, present({ effort }), setting);
}
