/** Options of all commands that run an agent, for `parseArgs`. */
export const runFlags = {
  agent: { type: 'string' },
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

/** Their values. */
export interface RunValues {
  readonly agent?: string;
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

/** Help of the options that these commands share. */
export const runFlagsHelp = `Options:
  --agent NAME       name of the agent; workers execute only runs that were submitted
                     with their name (default: default)
  --tools FILE       module that exports tools (.ts, .js, .mjs), or JSON definitions,
                     whose calls are checked but can't run
  --mcp FILE         MCP servers: {"mcpServers": {NAME: {"command": …} or
                     {"url": …}}}
  --model NAME       name of the model
  --provider NAME    openai, anthropic, gemini, ollama or scripted (default: the
                     provider whose key is set)
  --base-url URL     address of the model server (default: the provider's)
  --instructions X   system prompt
  --store FILE       store the run in a SQLite file, or in Postgres (postgres://…)
  --mode MODE        ask: approve each call that isn't read-only; auto: run all
                     calls; readonly: run only read-only calls (default: ask)
  --allow RULE       run these calls without approval: read_*, or
                     write_file(path=src/*)
  --deny RULE        never run these calls
  --ask RULE         always ask for approval of these calls
  --dialect NAME     for models without native calls: describe the tools in the
                     prompt and read calls in this dialect, or in any ('auto')
  --max-steps N      maximum number of model turns (default: 50)
  --json             print one event per line as JSON, and never ask
  -h, --help         show this help
`;

export const runHelp = `Usage: toolmend run [OPTIONS] [PROMPT]

Run an agent in the terminal: a model with your tools. Mends, checks and shows every
call. Without PROMPT, reads the prompt from a pipe, or starts a conversation.

${runFlagsHelp}
Set the API key in the environment: OPENAI_API_KEY, ANTHROPIC_API_KEY or
GEMINI_API_KEY. Without a key, a scripted model responds.

To approve a call, type y (once) or a (always). Type n to deny it, with a reason for
the model, or e to edit the arguments. Ctrl-C stops the current turn; press it again
to exit.

Exit codes: 0 done, 1 ended otherwise, 2 usage error, 130 stopped.
`;
