import { isObject } from '../../json/value.ts';
import type { Fault } from '../../tool/configuration-validation-error.ts';
import { headerName } from './header-faults.ts';

/** The words each form may hold; the variable is common to all. */
const forms: Readonly<Record<string, readonly string[]>> = {
  bearer: ['type', 'env'],
  basic: ['type', 'env', 'user', 'userEnv'],
  header: ['type', 'env', 'name', 'prefix'],
};
const variable = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** What is wrong with how a tool says who it is. What was given may be a secret, so that it is never repeated. */
export function authFaults(given: unknown, field: string): Fault[] {
  if (!Array.isArray(given)) return formFaults(given, field);
  return given.flatMap((one, index) => formFaults(one, `${field}[${index}]`));
}

function formFaults(auth: unknown, field: string): Fault[] {
  const fault = (at: string, message: string, fix: string): Fault => ({ field: `${field}.${at}`, message, fix });
  const type = isObject(auth) ? auth.type : undefined;
  if (type === 'query') {
    const fix = "Send it in a header: { type: 'header', name: 'X-Api-Key', env: 'API_KEY' }";
    return [fault('type', 'a secret in an address ends up in logs', fix)];
  }
  const words = typeof type === 'string' && Object.hasOwn(forms, type) ? forms[type] : undefined;
  if (!isObject(auth) || !words) {
    return [fault('type', `${field} is none of the known forms`, `Use one of: ${Object.keys(forms).join(', ')}`)];
  }
  const faults = Object.keys(auth)
    .filter((key) => !words.includes(key))
    .map((key) => fault(key, `${field}.${key} is not known for ${type}`, `Use: ${words.join(', ')}`));
  for (const key of ['env', 'userEnv']) {
    if (key === 'userEnv' && auth[key] === undefined) continue;
    if (typeof auth[key] === 'string' && variable.test(auth[key])) continue;
    faults.push(fault(key, `${field}.${key} is no name of a variable`, "Name the variable that holds it: 'API_TOKEN'"));
  }
  if (type === 'header' && !(typeof auth.name === 'string' && headerName.test(auth.name))) {
    faults.push(fault('name', `${field}.name is no name of a header`, "Name the header: 'X-Api-Key'"));
  }
  if (type === 'basic' && (typeof auth.user === 'string') === (typeof auth.userEnv === 'string')) {
    faults.push(fault('user', 'a login needs a user', "Give either user: 'name' or userEnv: 'NAME_OF_VARIABLE'"));
  }
  return faults;
}
