import type { AIMessage, AIMessageChunk } from '@langchain/core/messages';

/** An answer as the framework has it: whole, or put together from its chunks. */
export type Answer = AIMessage | AIMessageChunk;

/** Whether a call is another's to judge: one for a tool that the provider runs itself, say. */
export type IsForeign = (call: { readonly name: string }) => boolean;
