/** Formats by name, each decided in time linear in the text. Names not in the table are not checked. */
import { compilePattern } from './pattern.ts';

type Test = (text: string) => boolean;

const leap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const date: Test = (text) => {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const last = month === 2 && leap(year) ? 29 : (days[month - 1] ?? 0);
  return day >= 1 && day <= last;
};

const clock =
  (zone: 'needed' | 'optional'): Test =>
  (text) => {
    const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d{1,20})?(z|([+-])(\d\d):?(\d\d))?$/i.exec(text);
    if (match === null) return false;
    const [, hour, minute, second, offset, sign, zoneHour, zoneMinute] = match;
    if (offset === undefined && zone === 'needed') return false;
    if (Number(hour) > 23 || Number(minute) > 59 || Number(zoneHour ?? 0) > 23 || Number(zoneMinute ?? 0) > 59) {
      return false;
    }
    if (Number(second) < 60) return true;
    // A leap second is the last of a day in UTC.
    const shift = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * (sign === '-' ? -1 : 1);
    const utc = (((Number(hour) * 60 + Number(minute) - shift) % 1440) + 1440) % 1440;
    return Number(second) === 60 && utc === 1439;
  };

const dateTime =
  (zone: 'needed' | 'optional'): Test =>
  (text) =>
    text.length > 11 && /[tT\s]/.test(text[10] ?? '') && date(text.slice(0, 10)) && clock(zone)(text.slice(11));

const duration: Test = (text) =>
  text.length < 200 &&
  /^P(?:\d+W|(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)$/.test(text);

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const hostname: Test = (text) => {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  return name.length > 0 && name.length <= 253 && name.split('.').every((part) => label.test(part));
};

const ipv4: Test = (text) =>
  text.length <= 15 && /^(?:(?:25[0-5]|(?:2[0-4]|1\d|[1-9])?\d)(?:\.(?!$)|$)){4}$/.test(text);

const ipv6: Test = (text) => {
  if (text.length > 45) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [side, half] of halves.entries()) {
    if (half === '') continue;
    const parts = half.split(':');
    for (const [index, part] of parts.entries()) {
      const last = side === halves.length - 1 && index === parts.length - 1;
      if (/^[0-9a-f]{1,4}$/i.test(part)) groups += 1;
      else if (last && ipv4(part)) groups += 2;
      else return false;
    }
  }
  return halves.length === 2 ? groups <= 7 : groups === 8;
};

const email: Test = (text) => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const host = text.slice(at + 1);
  if (at < 1 || text.length > 320 || !/^[a-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\uffff-]{1,64}$/i.test(local)) return false;
  return !local.startsWith('.') && !local.endsWith('.') && !local.includes('..') && hostname(host);
};

// What RFC 3986 lets stand in a URI; everything else must be percent-encoded.
const uriCharacters = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i;
const uriReference: Test = (text) =>
  uriCharacters.test(text) && text.indexOf('#') === text.lastIndexOf('#') && !/^[^/?#]*[[\]]/.test(text);
const scheme = /^[a-z][a-z0-9+.-]*:/i;
const uri: Test = (text) => {
  const head = scheme.exec(text)?.[0];
  if (head === undefined || !uriCharacters.test(text) || text.indexOf('#') !== text.lastIndexOf('#')) return false;
  const rest = text.slice(head.length);
  if (!rest.startsWith('//')) return rest.length > 0;
  const authority = rest.slice(2).split(/[/?#]/, 1)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  if (host.startsWith('[')) return host.endsWith(']') && ipv6(host.slice(1, -1));
  return !/[[\]:]/.test(host) && (host !== '' || !/^https?:$/i.test(head));
};
const url: Test = (text) => /^(?:https?|ftp|wss?):\/\//i.test(text) && uri(text);

const jsonPointer: Test = (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
const byte: Test = (text) => text.length % 4 === 0 && /^[a-z0-9+/]*={0,2}$/i.test(text);

/** The table both checkers read. */
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
  ['uri-reference', uriReference],
  ['url', url],
  ['uuid', (text) => /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)],
  ['regex', (text) => compilePattern(text) !== undefined || parses(text)],
  ['json-pointer', jsonPointer],
  [
    'relative-json-pointer',
    (text) => /^(?:0|[1-9]\d*)(?:#|\/|$)/.test(text) && jsonPointer(text.replace(/^\d+#?/, '')),
  ],
  ['byte', byte],
]);

/** A pattern that only JavaScript can run is still a pattern. */
const parses = (text: string): boolean => {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
};
