import type { Problem } from '../json/problem.ts';
import { fieldName } from '../schema/describe.ts';

/** What a problem's sentence says of its field, without naming the field: `expected number, got string`. */
export function claimOf({ path, message }: Problem): string {
  const name = fieldName(path);
  return message.startsWith(name) ? message.slice(name.length).replace(/^:? /, '') : message;
}
