import type { Problem } from '../../json/problem.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import { exactCall } from './settle-decision.ts';
import type { InvokeOptions } from './types.ts';

/** Thrown for edited arguments that don't match the tool's schema. The call stays pending. */
export class InvalidEdit extends ToolmendError {
  override readonly name = 'InvalidEdit';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const words = problems.map(({ message }) => message).join('; ');
    super('invalid_edit', `The edited arguments are invalid: ${words}. The call is still waiting for a decision.`);
    this.problems = problems;
  }

  /** True for such an error, also one that another copy of this package threw. */
  static override isInstance(error: unknown): error is InvalidEdit {
    return hasCode(error, 'invalid_edit');
  }
}

/**
 * Throws `InvalidEdit` if a tool can't run with exactly these arguments. A tool that no longer exists is handled with
 * the call.
 */
export function checkEdit(name: string, input: unknown, options: Pick<InvokeOptions, 'toolbox' | 'policy'>): void {
  if (!options.toolbox.get(name)) return;
  const checked = exactCall({ id: '' }, name, input, options);
  if (checked.status === 'invalid') throw new InvalidEdit(checked.problems);
}
