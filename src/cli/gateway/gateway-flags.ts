/** The options of `toolmend gateway`, as `parseArgs` takes them. */
export const gatewayFlags = {
  config: { type: 'string' },
  pins: { type: 'string' },
  http: { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  token: { type: 'string' },
  log: { type: 'string' },
  'log-content': { type: 'string' },
  'keep-days': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What they were given. */
export type GatewayValues = {
  readonly [K in keyof typeof gatewayFlags]?: (typeof gatewayFlags)[K]['type'] extends 'boolean' ? boolean : string;
};
