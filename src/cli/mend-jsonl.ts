import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { answerLine } from './answer-line.ts';
import { longestLine, readLines } from './read-lines.ts';
import { ToolboxCache } from './toolbox-cache.ts';

/** `toolmend mend --jsonl`: answers each line of the input with a line, in order, as they come. */
export async function mendJsonl(input: Readable, output: Writable): Promise<number> {
  const toolboxes = new ToolboxCache();
  for await (const lines of readLines(input)) {
    for (const line of lines) {
      if (line?.trim() === '') continue;
      const answer = answerLine(line, toolboxes, longestLine);
      if (!output.write(`${answer}\n`)) await once(output, 'drain');
    }
  }
  return 0;
}
