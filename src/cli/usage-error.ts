import { ToolmendError } from '../json/toolmend-error.ts';

/** A usage error of the command line: reported in one line, exit code 2. */
export class UsageError extends ToolmendError {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super('usage', message);
  }
}
