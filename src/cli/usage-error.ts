/** The command was given wrongly: told in a line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
