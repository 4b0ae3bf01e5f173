/** The sources of the package's entries, by the names of their files in `dist/`. */
export const entries = {
  index: 'src/index.ts',
  json: 'src/json/index.ts',
  output: 'src/mend/output/index.ts',
  dialect: 'src/dialect/index.ts',
  provider: 'src/provider/index.ts',
  scripted: 'src/provider/scripted/index.ts',
  run: 'src/run/index.ts',
  sqlite: 'src/log/sqlite-store.ts',
  postgres: 'src/log/postgres-store.ts',
  dispatch: 'src/run/workers/dispatch.ts',
  mcp: 'src/execute/mcp/index.ts',
  proxy: 'src/proxy/index.ts',
  gateway: 'src/gateway/index.ts',
  inspect: 'src/inspect/index.ts',
  sdk: 'src/adapter/sdk/index.ts',
  'ai-sdk': 'src/adapter/ai-sdk/index.ts',
  langchain: 'src/adapter/langchain/index.ts',
  'openai-agents': 'src/adapter/openai-agents/index.ts',
} as const;

/** The entries that load nothing of Node, for browsers and edge workers. */
export const portableEntries = ['index', 'json', 'output', 'dialect', 'provider', 'sdk', 'ai-sdk'] as const;

/** The sources of the entries, by the names that users import. */
export const entriesByImport: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entries).map(([name, source]) => [name === 'index' ? 'toolmend' : `toolmend/${name}`, source]),
);
