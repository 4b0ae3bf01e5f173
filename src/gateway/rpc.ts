import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/** A JSON object of a message. */
export type Wire = Readonly<Record<string, unknown>>;

/** A request or a notification. */
export interface Message {
  readonly method: string;
  readonly params?: Wire | undefined;
}

/** A schema that accepts anything. The SDK drops unknown fields, but the gateway must forward them. */
export const anything: StandardSchemaV1<Wire, Wire> = {
  '~standard': { version: 1, vendor: 'toolmend', validate: (value) => ({ value: value as Wire }) },
};

/** Disables the SDK's timeout, because the client has its own. */
export const forever = 2 ** 31 - 1;
