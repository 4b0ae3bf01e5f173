import { AIMessageChunk, type AIMessageChunkFields } from '@langchain/core/messages';
import { markOf } from './mark.ts';

/**
 * A chunk of a mended answer. The framework reads the arguments of a call anew with each chunk and closes what is open, so
 * that a call which was cut off would run: once it is known that a call is not to, it stands among the invalid ones.
 */
export class MendedChunk extends AIMessageChunk {
  constructor(fields: AIMessageChunkFields) {
    super(fields);
    for (const { id, error } of markOf(this)?.refused ?? []) {
      const { name = '', args = '' } = (this.tool_call_chunks ?? []).find((chunk) => chunk.id === id) ?? {};
      const isOther = (call: { id?: string }): boolean => call.id !== id;
      const refused = { type: 'invalid_tool_call', id, name, args, error } as const;
      this.tool_calls = (this.tool_calls ?? []).filter(isOther);
      this.invalid_tool_calls = [...(this.invalid_tool_calls ?? []).filter(isOther), refused];
    }
  }

  /**
   * What a checkpoint makes of it again: a class that the framework knows. Made as a chunk it would read the arguments anew,
   * and a call that was refused would be one again; a whole message keeps its calls as they were told apart.
   */
  override get lc_id(): string[] {
    const isRefused = (this.invalid_tool_calls ?? []).length > 0;
    return [...this.lc_namespace, isRefused ? 'AIMessage' : 'AIMessageChunk'];
  }
}
