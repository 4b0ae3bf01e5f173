import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/** A JSON object as it came over the wire. */
export type Wire = Readonly<Record<string, unknown>>;

/** A request or a notification as it came. */
export interface Message {
  readonly method: string;
  readonly params?: Wire | undefined;
}

/** Takes anything. The SDK drops fields it does not know, and what passes through here must stay as it came. */
export const anything: StandardSchemaV1<Wire, Wire> = {
  '~standard': { version: 1, vendor: 'toolmend', validate: (value) => ({ value: value as Wire }) },
};

/** Whoever asks has the deadline, so that the SDK's own must never be the shorter one. */
export const forever = 2 ** 31 - 1;
