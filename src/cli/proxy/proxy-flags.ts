/** The options of `toolmend proxy`, as `parseArgs` takes them. */
export const proxyFlags = {
  upstream: { type: 'string' },
  format: { type: 'string' },
  dialect: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  token: { type: 'string' },
  live: { type: 'boolean' },
  'stream-arguments': { type: 'boolean' },
  retries: { type: 'string' },
  config: { type: 'string' },
  log: { type: 'string' },
  'log-content': { type: 'string' },
  'keep-days': { type: 'string' },
  'no-inspector': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What they were given. */
export type ProxyValues = {
  readonly [K in keyof typeof proxyFlags]?: (typeof proxyFlags)[K]['type'] extends 'boolean' ? boolean : string;
};
