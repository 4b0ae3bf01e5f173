import type { Fault } from '../../tool/configuration-validation-error.ts';
import { placeholdersOf } from './template.ts';

/** What a header's name may be made of. */
export const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What its text may be made of. */
export const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that belong to the connection, and are set with it. */
const ours = ['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'te', 'trailer', 'expect'];
/** Names of what holds a secret, in headers and in addresses. */
export const secretName = /authorization|cookie|(api|access|app|private|secret|auth)[-_]?key|token|secret|passw/i;

/** What is wrong with one header. A secret must not stand in settings, and is not repeated in the words either. */
export function headerFaults(value: unknown, field: string, name: string): Fault[] {
  const fault = (message: string, fix: string): Fault[] => [{ field, message, fix }];
  if (!headerName.test(name)) return fault(`'${name}' is no name of a header`, 'Use letters, digits and -');
  if (ours.includes(name.toLowerCase())) return fault(`${name} is set with the request`, 'Leave it out');
  if (typeof value !== 'string') return fault(`${field} is no text`, "Write a text, '{name}' for an argument");
  if (!headerText.test(value)) return fault(`${field} holds a character no header may hold`, 'Leave it out');
  if (secretName.test(name) && placeholdersOf(value).length === 0) {
    const fix = `Name its variable instead: auth: { type: 'header', name: '${name}', env: 'MY_KEY' }`;
    return fault(`${name} holds a secret in plain text`, fix);
  }
  return [];
}
