import { type Repair, repairKinds } from '../../json/repair.ts';
import { harmless } from '../../log/shown/visible.ts';
import { preview } from '../../mend/preview.ts';

/** Describes a repair in a line: `limit: changed the type, "5" → 5`. */
export function describeRepair({ path, kind, before, after }: Repair): string {
  const where = path.length > 0 ? `${path.join('.')}: ` : '';
  const change = `${value(before)}${after === undefined ? '' : ` → ${value(after)}`}`;
  return harmless(`${where}${repairKinds[kind]}${change ? `, ${change}` : ''}`);
}

const value = (thing: unknown): string => (thing === undefined ? '' : preview(thing, 60));
