import { passthroughFor } from '../passthrough.ts';

/** How this wire passes unknown fields through. A null among them stands for a field that the wire left out. */
export const { passthroughOf, asPassthrough, ownFields, ownObject } = passthroughFor('ollama');
