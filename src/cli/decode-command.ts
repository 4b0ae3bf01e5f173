import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { rowsFor } from '../dialect/rows-for.ts';
import { dialects } from '../dialect/table.ts';
import { decodeHelp } from './decode-help.ts';
import { type DecodeOptions, decodeLine } from './decode-line.ts';
import { readLines } from './read-lines.ts';
import { ToolboxCache } from './toolbox-cache.ts';
import { UsageError } from './usage-error.ts';

const options = {
  dialect: { type: 'string' },
  prompted: { type: 'boolean' },
  chunk: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `toolmend decode`: reads calls out of text, line after line. */
export async function decodeCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help || values.list) {
    process.stdout.write(values.help ? decodeHelp : listed());
    return 0;
  }
  if (process.stdin.isTTY)
    throw new UsageError('there is nothing to read; pipe JSON lines in (toolmend decode --help)');
  return decodeStream(process.stdin, process.stdout, {
    dialect: dialectNamed(values.dialect),
    prompted: values.prompted,
    chunk: chunkOf(values.chunk),
  });
}

/** Answers each line of a stream with a line, in order, as they come. */
export async function decodeStream(input: Readable, output: Writable, given: DecodeOptions): Promise<number> {
  const toolboxes = new ToolboxCache();
  for await (const lines of readLines(input)) {
    for (const line of lines) {
      if (line?.trim() === '') continue;
      if (!output.write(`${decodeLine(line, toolboxes, given)}\n`)) await once(output, 'drain');
    }
  }
  return 0;
}

const listed = (): string => `${dialects.map(({ name, families }) => `${name.padEnd(22)}${families}`).join('\n')}\n`;

function dialectNamed(name: string | undefined): string | undefined {
  try {
    rowsFor(name);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  return name;
}

function chunkOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const size = Number(word);
  if (!Number.isInteger(size) || size < 1) throw new UsageError(`--chunk is a number from 1, not '${word}'`);
  return size;
}
