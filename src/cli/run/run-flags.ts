/** The options of every command that runs an agent, as `parseArgs` takes them. */
export const runFlags = {
  tools: { type: 'string', multiple: true },
  mcp: { type: 'string', multiple: true },
  model: { type: 'string' },
  provider: { type: 'string' },
  'base-url': { type: 'string' },
  instructions: { type: 'string' },
  store: { type: 'string' },
  mode: { type: 'string' },
  allow: { type: 'string', multiple: true },
  deny: { type: 'string', multiple: true },
  ask: { type: 'string', multiple: true },
  dialect: { type: 'string' },
  'max-steps': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What they were given. */
export interface RunValues {
  readonly tools?: string[];
  readonly mcp?: string[];
  readonly model?: string;
  readonly provider?: string;
  readonly 'base-url'?: string;
  readonly instructions?: string;
  readonly store?: string;
  readonly mode?: string;
  readonly allow?: string[];
  readonly deny?: string[];
  readonly ask?: string[];
  readonly dialect?: string;
  readonly 'max-steps'?: string;
  readonly json?: boolean;
}
