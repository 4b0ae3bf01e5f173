import { services } from '../../provider/client/services.ts';
import type { Format } from '../../turn/turn.ts';
import { wires } from '../wire-of.ts';
import type { Spoken } from './patient.ts';

/** The wires in the order they are preferred for the rest of the examination: what most clients speak first. */
export const order: readonly [Format, ...Format[]] = [
  'openai-chat',
  'ollama',
  'anthropic',
  'gemini',
  'openai-responses',
];

const owners = {
  'openai-chat': services.openai,
  'openai-responses': services.openai,
  anthropic: services.anthropic,
  gemini: services.gemini,
  ollama: services.ollama,
} as const;

/** A wire with the service that made it. */
export const spoken = (format: Format): Spoken => ({ wire: wires[format], service: owners[format] });
