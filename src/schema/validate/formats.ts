/** Formats by name, each checked in linear time. Unknown names aren't checked. */
import { compilePattern } from './patterns.ts';

type Test = (text: string) => boolean;

/** Text that matches a pattern, up to a maximum length. */
const like =
  (pattern: RegExp, longest = Number.POSITIVE_INFINITY): Test =>
  (text) =>
    text.length <= longest && pattern.test(text);

const isDate = like(/^\d{4}-\d\d-\d\d$/);
// An invalid day of a month becomes another date.
const date: Test = (text) => isDate(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

const parts = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(z|([+-])([01]\d|2[0-3]):?([0-5]\d))?$/i;
const clock =
  (zone: 'needed' | 'optional'): Test =>
  (text) => {
    const [, hour, minute, second, offset, sign, zoneHour, zoneMinute] = parts.exec(text) ?? [];
    if (second === undefined || (offset === undefined && zone === 'needed')) return false;
    // A leap second is the last second of a UTC day.
    const inUtc = `1970-01-01T${hour}:${minute}:00${sign ? `${sign}${zoneHour}:${zoneMinute}` : 'Z'}`;
    return second !== '60' || new Date(inUtc).toJSON().includes('T23:59');
  };

const dateTime =
  (zone: 'needed' | 'optional'): Test =>
  (text) =>
    /[tT\s]/.test(text[10] ?? '') && date(text.slice(0, 10)) && clock(zone)(text.slice(11));

const duration = like(
  /^P(?:\d+W|(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)$/,
  200,
);

const hostname = like(/^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.(?!$)|\.?$))+$/i, 254);
const local = like(/^[\w!#$%&'*+/=?^`{|}~\u0080-\uffff-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\uffff-]+)*$/, 64);
const email: Test = (text) => {
  const at = text.lastIndexOf('@');
  return local(text.slice(0, at)) && at > 0 && hostname(text.slice(at + 1));
};

const ipv4 = like(/^(?:(?:25[0-5]|(?:2[0-4]|1\d|[1-9])?\d)(?:\.(?!$)|$)){4}$/, 15);
const ipv6: Test = (text) => {
  if (text.length > 45) return false;
  const last = text.slice(text.lastIndexOf(':') + 1);
  const [head = '', tail, more] = (ipv4(last) ? text.replace(last, '0:0') : text).split('::');
  const groups = [head, tail].flatMap((half) => (half ? half.split(':') : []));
  const fits = tail === undefined ? groups.length === 8 : groups.length < 8;
  return fits && more === undefined && groups.every((group) => /^[\da-f]{1,4}$/i.test(group));
};

// Characters allowed in a URI by RFC 3986. All others must be percent-encoded.
const uriText = like(/^(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[\da-f]{2})*(?:#(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[\da-f]{2})*)?$/i);
const uri: Test = (text) => uriText(text) && /^[a-z][a-z\d+.-]*:./i.test(text) && URL.canParse(text);

const jsonPointer = like(/^(?:\/(?:[^~/]|~[01])*)*$/);

/** The formats of both checkers. */
export const formats: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['date', date],
  ['time', clock('needed')],
  ['date-time', dateTime('needed')],
  ['iso-time', clock('optional')],
  ['iso-date-time', dateTime('optional')],
  ['duration', duration],
  ['email', email],
  ['hostname', hostname],
  ['ipv4', ipv4],
  ['ipv6', ipv6],
  ['uri', uri],
  ['uri-reference', (text) => uriText(text) && !/^[^/?#]*[[\]]/.test(text)],
  ['url', (text) => /^(?:https?|ftp|wss?):\/\//i.test(text) && uri(text)],
  ['uuid', like(/^(?:urn:uuid:)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i, 45)],
  ['regex', (text) => compilePattern(text) !== undefined || parses(text)],
  ['json-pointer', jsonPointer],
  [
    'relative-json-pointer',
    (text) => /^(?:0|[1-9]\d*)(?:#|\/|$)/.test(text) && jsonPointer(text.replace(/^\d+#?/, '')),
  ],
  ['byte', (text) => text.length % 4 === 0 && /^[a-z\d+/]*={0,2}$/i.test(text)],
]);

/** Whether a text is a valid pattern in JavaScript. */
const parses = (text: string): boolean => {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
};
