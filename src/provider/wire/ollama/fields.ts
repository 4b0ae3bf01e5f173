import { passthroughOfFormat } from '../passthrough.ts';

/** What this wire carries along. A null among it stands for a field that the wire left out. */
export const { carried, own, ownObject } = passthroughOfFormat('ollama');
