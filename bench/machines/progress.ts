/** Shows progress: an updated line in a terminal, a line for each tenth in a pipe. */
export interface Progress {
  at(done: number, of: number, words: string): void;
  say(line: string): void;
}

/** Writes to standard error, so that standard output contains only results. */
export function progress(output: NodeJS.WriteStream = process.stderr): Progress {
  let tenth = -1;
  return {
    at(done, of, words) {
      const line = `${done} of ${of} ended, ${words}`;
      if (output.isTTY) output.write(`\r\u001b[2K${line}${done === of ? '\n' : ''}`);
      else if (Math.floor((done / of) * 10) !== tenth) {
        tenth = Math.floor((done / of) * 10);
        output.write(`${line}\n`);
      }
    },
    say: (line) => void output.write(`${line}\n`),
  };
}
