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

/** The lines of help that every command shares which runs an agent. */
export const runFlagsHelp = `  --tools FILE       tools: a module (.ts, .js, .mjs) that exports them, or JSON
                     definitions, which can be called but not run
  --mcp FILE         MCP servers: {"mcpServers": {NAME: {"command": …} or
                     {"url": …}}}
  --model NAME       the model
  --provider NAME    openai, anthropic, gemini, ollama or scripted; without it the
                     one whose key is in the environment
  --base-url URL     where it is served, if not by the provider itself
  --instructions X   what holds for the whole conversation
  --store FILE       keep the run in this SQLite file
  --mode MODE        ask (default): what may change something is asked for;
                     auto: everything runs; readonly: only what reads runs
  --allow RULE       calls that run unasked: read_*, write_file(path=src/*)
  --deny RULE        calls that never run
  --ask RULE         calls that are always asked for
  --dialect NAME     the model has no calls of its own: it is asked for them in
                     text of this dialect, or of any ('auto')
  --max-steps N      turns of the model, at most (50)
  --json             one event per line, as JSON; nobody is asked
  -h, --help         show this
`;

export const runHelp = `toolmend run [PROMPT]

An agent in the terminal: a model with your tools, every call mended, checked and
shown. Without PROMPT it reads one from a pipe, or begins a conversation.

${runFlagsHelp}
Keys come from the environment only: OPENAI_API_KEY, ANTHROPIC_API_KEY,
GEMINI_API_KEY. Where none is set, a script plays the model.

At a question: y runs the call once, a always, n says no with a reason the model
reads, e edits the arguments. Ctrl-C stops what is under way; again, it ends.

Exit code: 0 done, 1 ended otherwise, 2 used wrongly, 130 stopped.
`;
