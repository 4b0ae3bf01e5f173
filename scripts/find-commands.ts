/** A command of a shell example, with the output that the page shows below it. */
export interface Command {
  readonly command: string;
  readonly output: string;
}

/** Splits a shell example into its commands: a line that starts with `$ ` (`> ` continues it) and the output below. */
export const findCommands = (code: string): Command[] => {
  const commands: { command: string; output: string[] }[] = [];
  for (const line of code.split('\n')) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: [] });
    else if (!last) continue;
    else if (line.startsWith('> ') && last.output.length === 0) last.command += `\n${line.slice(2)}`;
    else last.output.push(line);
  }
  return commands.map(({ command, output }) => ({ command, output: output.join('\n').trimEnd() }));
};
