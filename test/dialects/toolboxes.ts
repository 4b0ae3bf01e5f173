/** The toolboxes that several tables of texts use, and how their calls are written and read. */
import { expect } from 'vitest';
import { type CallReading, readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { type Effect, type Tool, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

/** A tool with these parameters, all of which are required by default. A `closed` one allows no others. */
export const toolWith = (
  name: string,
  properties: Readonly<Record<string, object>>,
  effect: Effect,
  { required = Object.keys(properties), closed = false }: { required?: string[]; closed?: boolean } = {},
): Tool =>
  tool({
    name,
    description: name,
    effect,
    inputSchema: { type: 'object', properties, required, ...(closed && { additionalProperties: false }) },
  });

/** Reads a text at once, and checks that it is read the same in chunks. */
export function readAlike(text: string, tools: Toolbox): CallReading {
  const whole = readCalls(text, tools);
  for (const chunk of [1, 6]) expect(readCalls(text, tools, { chunk })).toEqual(whole);
  return whole;
}

/** The name and the input of each call that runs. */
export const ranCalls = (text: string, tools: Toolbox): [name: string, input: unknown][] =>
  readAlike(text, tools).calls.flatMap(({ name, status, input }) => (status === 'invalid' ? [] : [[name, input]]));

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

/** One tool of each effect. */
export const effectTools: Toolbox = new Toolbox([
  toolWith('restart', { service: { type: 'string' } }, 'write'),
  toolWith('delete_file', { path: { type: 'string' } }, 'destructive'),
  toolWith('search', { query: { type: 'string' } }, 'read'),
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
