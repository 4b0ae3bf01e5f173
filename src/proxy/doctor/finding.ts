import type { Format } from '../../turn/turn.ts';

/** What the doctor looks at, in the order it is looked at. */
export const checks = {
  reachable: 'server',
  wires: 'wires',
  model: 'model',
  answer: 'answer',
  call: 'call',
  stream: 'streamed call',
  nested: 'nested argument',
  parallel: 'parallel calls',
  result: 'tool result',
  text: 'calls as text',
  output: 'structured output',
  context: 'context size',
} as const;

export type Check = keyof typeof checks;

/** `good`; `fair`: it works with help, or less well; `bad`: it does not; `open`: it could not be found out. */
export type Grade = 'good' | 'fair' | 'bad' | 'open';

/** What was found of one thing, with the evidence, and what to do about it. */
export interface Finding {
  readonly check: Check;
  readonly verdict: Grade;
  /** What happened, in a line: the server's own words where it has any. */
  readonly said: string;
  /** What to do. */
  readonly advice?: string;
  /** The setting that is missing, as it is written on a command line. */
  readonly setting?: string;
}

/** Who serves, where that can be told. */
export type ServerKind = 'llama.cpp' | 'ollama' | 'vllm' | 'other';

/** How calls can be made there: by the wire, in text that is read, or not at all. */
export type CallWay = 'native' | 'text' | 'none';

/** All that was found. */
export interface Diagnosis {
  readonly upstream: string;
  readonly model: string;
  readonly server: ServerKind;
  readonly formats: readonly Format[];
  readonly calls: CallWay;
  /** The dialect that the model writes calls in, where it is known. */
  readonly dialect?: string;
  /** Tokens that fit. */
  readonly context?: number;
  readonly findings: readonly Finding[];
}
