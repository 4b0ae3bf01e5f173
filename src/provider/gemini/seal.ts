import type { JsonObject } from '../../json/value.ts';
import type { ProviderSignature } from '../../turn/turn.ts';

/** The signature on a part of the wire. */
export const readSignature = ({ thoughtSignature }: JsonObject): { seal?: ProviderSignature } =>
  typeof thoughtSignature === 'string' ? { seal: { format: 'gemini', value: thoughtSignature } } : {};

/** The signature of a part, where this format gave it. */
export const writeSignature = ({ seal }: { readonly seal?: ProviderSignature }): JsonObject =>
  seal?.format === 'gemini' ? { thoughtSignature: seal.value } : {};
