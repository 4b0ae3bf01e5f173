/** The toolboxes that several tables of texts use, and how their calls are written and read. */
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

/** The input of the user tools. */
export const idSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;

/** A tool that reads, and a destructive one. */
export const userTools: Toolbox = new Toolbox([
  tool({ name: 'get_user', description: 'Reads', effect: 'read', inputSchema: idSchema }),
  tool({ name: 'delete_user', description: 'Deletes', effect: 'destructive', inputSchema: idSchema }),
]);

/** Writes a call of one of the user tools. */
export const writeUserCall = (name: string, dialect: string): string =>
  renderCalls([{ name, arguments: { id: 5 } }], dialect, userTools);

/** Reads a text at once and in chunks: `text` if it stays as it is, otherwise the calls with their status. */
export const readUserCalls = (
  text: string,
  dialect: string,
  chunks: readonly (number | undefined)[] = [undefined, 1, 7],
): string[] =>
  chunks.map((chunk) => {
    const { calls, text: left } = readCalls(text, userTools, { dialect, ...(chunk && { chunk }) });
    return calls.length === 0 && left === text ? 'text' : calls.map(({ name, status }) => `${name} ${status}`).join();
  });

const withText = (name: string, key: string, effect: 'read' | 'write' | 'destructive') =>
  tool({
    ...{ name, description: 'A tool', effect },
    inputSchema: { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] },
  });

/** One tool of each effect. */
export const effectTools: Toolbox = new Toolbox([
  withText('restart', 'service', 'write'),
  withText('delete_file', 'path', 'destructive'),
  withText('search', 'query', 'read'),
]);

/** The names of the calls in a text that run, read at once and in chunks. */
export const runningCalls = (text: string, options: { dialect?: string; prompted?: boolean }): string[][] =>
  [undefined, 1, 7].map((chunk) =>
    readCalls(text, effectTools, { ...options, ...(chunk && { chunk }) })
      .calls.filter(({ status }) => status !== 'invalid')
      .map(({ name }) => name),
  );

/** The same result at once and in each size of chunks. */
export const inEveryChunk = <T>(result: T): [T, T, T] => [result, result, result];

const text = { type: 'string' } as const;

/** A tool that writes a file, and a destructive one. */
export const fileAndTableTools: Toolbox = new Toolbox([
  tool({
    name: 'write_file',
    description: 'Writes a file',
    inputSchema: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  }),
  tool({
    name: 'drop_table',
    description: 'Drops a table',
    effect: 'destructive',
    inputSchema: { type: 'object', properties: { table: text }, required: ['table'] },
  }),
]);
