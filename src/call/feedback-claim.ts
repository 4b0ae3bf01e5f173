import { fieldName } from '../json/field-name.ts';
import type { Problem } from '../json/problem.ts';

/** What a problem's sentence says of its field, without naming the field: `expected number, got string`. */
export function claimOf({ path, message }: Problem): string {
  const name = fieldName(path);
  return message.startsWith(name) ? message.slice(name.length).replace(/^:? /, '') : message;
}
