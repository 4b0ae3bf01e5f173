import { passthroughFor } from '../passthrough-fields.ts';

/** Passthrough of this API format. A null marks a field that was missing. */
export const { passthroughOf, asPassthrough, ownFields, ownObject } = passthroughFor('ollama');
