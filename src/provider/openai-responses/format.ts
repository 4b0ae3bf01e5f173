import type { JsonObject } from '../../json/value.ts';
import type { Carrying, Extra } from '../../turn/turn.ts';

/** The name of this wire. */
export const format = 'openai-responses';

/** What was carried along from this wire; nothing where it came from another. */
export const ownFields = ({ extra }: Carrying): JsonObject | undefined =>
  extra?.format === format ? extra.fields : undefined;

/** Fields of this wire, to be carried along, though there be none of them. */
export const passthrough = (fields: JsonObject): { extra: Extra } => ({ extra: { format, fields } });
