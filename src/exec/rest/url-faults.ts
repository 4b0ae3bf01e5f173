import type { Fault } from '../../tool/configuration-validation-error.ts';
import { checkUrl } from '../safe-fetch/check-url.ts';
import { hostOf, openingOf, trustOf } from '../safe-fetch/trust.ts';
import { secretName } from './header-faults.ts';
import { placeholdersOf, urlTemplate } from './template.ts';

/** What is wrong with the address of a REST tool. */
export function urlFaults(url: unknown, field: string, { allow }: Readonly<Record<string, unknown>>): Fault[] {
  const fault = (message: string, fix: string): Fault[] => [{ field, message, fix }];
  if (typeof url !== 'string' || url === '')
    return fault('it has no address', "Give one, 'https://api.test/users/{id}'");
  if (/^[a-z]+:\/\/[^/?#]*[{}]/i.test(url)) {
    const fix = 'Write the host out; for addresses that a model chooses, make a tool of your own with safeFetch';
    return fault('an argument stands in the host, so that a call could send the credentials anywhere', fix);
  }
  const template = urlTemplate(url);
  if (!template) return fault(`${field} is no address`, "Write it whole, without #: 'https://api.test/users/{id}'");
  const texts = [template.path, ...template.query.map(([, text]) => text)];
  if (texts.some((text) => /[{}]/.test(text.replace(/\{[^{}]+\}/g, '')))) {
    return fault('its braces do not pair up', "Write each argument as '{name}'");
  }
  const secret = template.query.find(([name, text]) => secretName.test(name) && placeholdersOf(text).length === 0);
  if (secret) return fault(`'${secret[0]}' holds a secret in plain text`, 'Send it by auth, from a variable');
  const target = new URL(template.origin);
  const entries = Array.isArray(allow) ? allow.filter((one) => typeof one === 'string' && openingOf(one)) : [];
  try {
    checkUrl(target, trustOf(entries));
    return [];
  } catch (error) {
    const fix = `If that is meant, add it to rest.allow: ['${target.host || hostOf(target)}']`;
    return fault(error instanceof Error ? error.message : String(error), fix);
  }
}
