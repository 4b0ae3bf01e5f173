import type { JsonObject } from '../../json/value.ts';
import type { Seal } from '../../turn/turn.ts';

/** The signature on a part of the wire. */
export const readSeal = ({ thoughtSignature }: JsonObject): { seal?: Seal } =>
  typeof thoughtSignature === 'string' ? { seal: { format: 'gemini', value: thoughtSignature } } : {};

/** The signature of a part, where this format gave it. */
export const writeSeal = ({ seal }: { readonly seal?: Seal }): JsonObject =>
  seal?.format === 'gemini' ? { thoughtSignature: seal.value } : {};
