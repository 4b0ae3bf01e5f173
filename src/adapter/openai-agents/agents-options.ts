import type { ModelRequest } from '@openai/agents-core';
import type { MendOptions } from '../mend-options.ts';

/** How a wrapped model deals with the calls of its answers. */
export interface AgentsOptions extends MendOptions {
  /** How often the model is asked again, in one turn of a run, when nothing it called can be mended. Default 3. */
  readonly retries?: number;
}

/** The settings for one request: where no call is wanted, or the words are to be JSON, none is looked for in them. */
export function optionsFor<O extends MendOptions>({ outputType, modelSettings }: ModelRequest, options: O): O {
  const wordsAreWords = outputType !== 'text' || modelSettings.toolChoice === 'none';
  return wordsAreWords ? { ...options, dialect: 'native' } : options;
}
