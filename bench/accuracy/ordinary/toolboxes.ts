import type { SchemaObject } from '../../../src/schema/types.ts';
import { type Definition, destructive, readOnly } from '../../../test/damage/definition.ts';

type Types = Readonly<Record<string, 'string' | 'number' | 'boolean'>>;

/** A definition from types alone; a name that ends in `?` is optional. */
const define = (
  name: string,
  description: string,
  types: Types,
  annotations?: Definition['annotations'],
): Definition => {
  const entries = Object.entries(types);
  const inputSchema: SchemaObject = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, type]) => [key.replace('?', ''), { type }])),
    required: entries.map(([key]) => key).filter((key) => !key.endsWith('?')),
    additionalProperties: false,
  };
  return { name, description, inputSchema, ...(annotations && { annotations }) };
};

/** The toolboxes that the responses mention. */
export const toolboxes = {
  files: [
    define('read_file', 'Reads a file', { path: 'string' }, readOnly),
    define('list_dir', 'Lists a folder', { path: 'string' }, readOnly),
    define('search', 'Searches all files', { query: 'string', 'limit?': 'number' }, readOnly),
    define('write_file', 'Writes a file', { path: 'string', content: 'string' }),
    define('delete_file', 'Deletes a file', { path: 'string' }, destructive),
    define('run_command', 'Runs a shell command', { command: 'string' }, destructive),
  ],
  mail: [
    define('search_mail', 'Searches mail', { query: 'string' }, readOnly),
    define('send_email', 'Sends a mail', { to: 'string', subject: 'string', body: 'string' }),
    define('delete_message', 'Deletes a mail', { id: 'string' }, destructive),
  ],
  shop: [
    define('get_order', 'Shows an order', { order_id: 'string' }, readOnly),
    define('refund_order', 'Refunds an order', { order_id: 'string', amount: 'number' }, destructive),
    define('cancel_order', 'Cancels an order', { order_id: 'string' }, destructive),
  ],
  ops: [
    define('get_weather', 'Shows the weather', { city: 'string', 'unit?': 'string' }, readOnly),
    define('deploy', 'Deploys a service', { service: 'string', version: 'string' }),
    define('restart_service', 'Restarts a service', { name: 'string' }, destructive),
    define('drop_table', 'Drops a table', { table: 'string' }, destructive),
  ],
  home: [
    define('get_time', 'Tells the time', { 'timezone?': 'string' }, readOnly),
    define('set_light', 'Switches a light', { room: 'string', on: 'boolean' }),
    define('unlock_door', 'Unlocks a door', { door: 'string' }, destructive),
  ],
} as const satisfies Readonly<Record<string, readonly Definition[]>>;

export type ToolboxName = keyof typeof toolboxes;
