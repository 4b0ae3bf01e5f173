import type { ErrorType } from '../../src/index.ts';

/** Labels of error types. */
export const errorLabels: Readonly<Record<ErrorType, string>> = {
  validation: 'Validation error',
  unknown_tool: 'Unknown tool',
  truncated: 'Truncated',
  denied: 'Denied',
  timeout: 'Timed out',
  aborted: 'Stopped',
  runtime: 'Tool failed',
  logical: 'Tool reported a failure',
};

/** The label of any error type in a log. */
export const errorLabel = (type: string | undefined): string =>
  type !== undefined && Object.hasOwn(errorLabels, type) ? errorLabels[type as ErrorType] : (type ?? 'Error');
