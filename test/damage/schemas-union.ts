/** Tools whose values may take several forms. */
import { anyInteger, anyNumber, anyText, textOf } from './content.ts';
import { destructive, readOnly, type Subject } from './definition.ts';
import type { Random } from './random.ts';
import { bool, closed, enumOf, int, listOf, nothing, num, optional, str } from './words.ts';

const shape = (r: Random) =>
  r.chance(0.5)
    ? { kind: 'circle', radius: anyNumber(r), center: [anyNumber(r), anyNumber(r)] }
    : { kind: 'rect', width: anyNumber(r), height: anyNumber(r), ...optional(r, 'title', () => anyText(r)) };

const step = (r: Random) =>
  r.pick([
    () => ({
      action: 'click',
      x: anyInteger(r, 0, 2000),
      y: anyInteger(r, 0, 2000),
      ...optional(r, 'double', () => r.chance(0.5)),
    }),
    () => ({ action: 'type', text: anyText(r) }),
    () => ({ action: 'wait', seconds: r.between(0, 100) / 10 }),
  ])();

export const unionSubjects: readonly Subject[] = [
  {
    name: 'draw_shapes',
    description: 'A union told apart by a constant.',
    inputSchema: closed(
      {
        canvas: str,
        shapes: listOf({
          oneOf: [
            closed({ kind: { const: 'circle' }, radius: num, center: listOf(num) }, ['kind', 'radius']),
            closed({ kind: { const: 'rect' }, width: num, height: num, title: str }, ['kind', 'width', 'height']),
          ],
        }),
      },
      ['shapes'],
    ),
    make: (r) => ({
      ...optional(r, 'canvas', () => textOf(r, 'word', 'phrase')),
      shapes: r.some(0, 3, () => shape(r)),
    }),
  },
  {
    name: 'browser_steps',
    description: 'A union told apart by an enum of one, over anyOf.',
    inputSchema: closed(
      {
        url: str,
        step: {
          anyOf: [
            closed({ action: enumOf('click'), x: int, y: int, double: bool }, ['action', 'x', 'y']),
            closed({ action: enumOf('type'), text: str }, ['action', 'text']),
            closed({ action: enumOf('wait'), seconds: num }, ['action', 'seconds']),
          ],
        },
      },
      ['url', 'step'],
    ),
    make: (r) => ({ url: textOf(r, 'url'), step: step(r) }),
  },
  {
    name: 'set_option',
    description: 'Text, a number, a flag or nothing.',
    inputSchema: closed(
      { key_name: str, value: { anyOf: [str, num, bool, nothing] }, scope: enumOf('user', 'global') },
      ['key_name', 'value'],
    ),
    make: (r) => ({
      key_name: textOf(r, 'word'),
      value: r.pick([() => anyText(r), () => anyNumber(r), () => r.chance(0.5), () => null])(),
      ...optional(r, 'scope', () => r.pick(['user', 'global'])),
    }),
  },
  {
    name: 'open_files',
    description: 'One path or a list of paths.',
    annotations: readOnly,
    inputSchema: closed({ paths: { anyOf: [str, listOf(str)] }, line: int }, ['paths']),
    make: (r) => ({
      paths: r.chance(0.5) ? textOf(r, 'path', 'json', 'prose') : r.some(0, 3, () => textOf(r, 'path')),
      ...optional(r, 'line', () => anyInteger(r, 1, 9000)),
    }),
  },
  {
    name: 'schedule_job',
    description: 'A number of seconds, or an object.',
    inputSchema: closed(
      {
        job: str,
        every: { anyOf: [{ ...num, minimum: 0 }, closed({ hour: int, minute: int }, ['hour', 'minute'])] },
        retries: { anyOf: [int, nothing] },
        notify: { anyOf: [bool, nothing] },
      },
      ['job', 'every'],
    ),
    make: (r) => ({
      job: textOf(r, 'word', 'code'),
      every: r.chance(0.5) ? r.between(0, 86_400) : { hour: r.between(0, 23), minute: r.between(0, 59) },
      ...optional(r, 'retries', () => (r.chance(0.4) ? null : r.between(0, 9))),
      ...optional(r, 'notify', () => (r.chance(0.4) ? null : r.chance(0.5))),
    }),
  },
  {
    name: 'revoke_access',
    description: 'A destructive tool with a nullable list.',
    annotations: destructive,
    inputSchema: closed(
      { user: str, roles: { type: ['array', 'null'], items: enumOf('admin', 'editor', 'viewer') }, notify_user: bool },
      ['user', 'roles'],
    ),
    make: (r) => ({
      user: textOf(r, 'word', 'phrase'),
      roles: r.chance(0.3) ? null : r.some(0, 3, () => r.pick(['admin', 'editor', 'viewer'])),
      ...optional(r, 'notify_user', () => r.chance(0.5)),
    }),
  },
];
