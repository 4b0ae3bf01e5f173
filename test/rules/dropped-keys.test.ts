/** Keys that no property declares, on a tool that writes: dropped only if the call means the same without them. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { closed, mendWith, string } from './mend-with.ts';

const schemas = [
  closed({ to: string, body: string, subject: string }),
  z.object({ to: z.string(), body: z.string(), subject: z.string().optional() }),
];
const statuses = (key: string, effect: 'read' | 'write' = 'write') =>
  schemas.map((schema) => mendWith(schema, { to: 'a', body: 'b', subject: 'c', [key]: true }, { effect }).status);
const words = (list: string): readonly string[] => list.split(' ');

describe('an undeclared key that says whether or when to act is not dropped', () => {
  it.each([
    ...words('do_not_send dont_send don_t_send doNotSend donotsend do_not_execute not never never_run without'),
    ...words('void voided stop hold on_hold hold_until pause paused postpone postponed_until later send_later wait'),
    ...words(
      'wait_for await_reply prevent avoid suppress suspended refrain rejected declined forbidden vetoed pending tentative fake hypothetical proposed',
    ),
  ])('negation or delay: %s', (key) => expect(statuses(key)).toEqual(['invalid', 'invalid']));

  it.each([
    ...words('if stop_if when sendWhen while once run_once provided condition conditions conditional depends_on'),
    ...words('dependencies prerequisite trigger_on requires_payment after_payment'),
  ])('condition: %s', (key) => expect(statuses(key)).toEqual(['invalid', 'invalid']));

  it.each([
    ...words(
      'date time start start_date endDate due due_date effective_date delivery_time deadline tomorrow not_before',
    ),
    ...words('repeat_every recurring frequency interval cron'),
  ])('time: %s', (key) => expect(statuses(key)).toEqual(['invalid', 'invalid']));

  it.each([
    ...words('ask ask_user review_first requires_review needs_approval consent permission_required sign_off manual'),
    'human_in_the_loop',
  ])('approval: %s', (key) => expect(statuses(key)).toEqual(['invalid', 'invalid']));

  it.each(words('private public visibility hidden anonymous'))('audience: %s', (key) => {
    expect(statuses(key)).toEqual(['invalid', 'invalid']);
  });

  it.each([
    ...words('explanation notes nothing reasoning summary priority tags source author session request_id timestamp'),
    ...words('created_date updated_at request_time current_date creation_date notebook holder waiter iffy author_name'),
  ])('guard: %s is dropped', (key) => expect(statuses(key)).toEqual(['mended', 'mended']));

  it.each(words('do_not_send if when date ask_user'))('guard: a tool that reads drops %s', (key) => {
    expect(statuses(key, 'read')).toEqual(['mended', 'mended']);
  });
});

describe('the only undeclared key of an inner object, which lacks one property of its type', () => {
  const number = { type: 'number' } as const;
  const schema = closed({
    name: string,
    geo: closed({ lat: number, lon: number }),
    at: closed({ street: string, zip: string }),
  });

  it.each([
    { geo: { lat: '52.52', lng: '13.40' } },
    { geo: { lat: 52.52, lng: 13.4 } },
    { geo: { lat: 52.52, east: 13.4 } },
    { geo: { lat: 52.52, east: '13.4' } },
    { at: { street: 'a', postal: '1' } },
  ])('is not dropped: %j', (input) => {
    for (const effect of ['read', 'write'] as const)
      expect(mendWith(schema, { name: 'x', ...input }, { effect }).status).toBe('invalid');
  });

  it.each([
    [{ geo: { lat: 1, lon: 2, note: 'x' } }, { geo: { lat: 1, lon: 2 } }],
    [{ geo: { lat: 1, note: 'x' } }, { geo: { lat: 1 } }],
    [{ geo: { lat: 1, precise: true } }, { geo: { lat: 1 } }],
    [{ at: { street: 'a', zip: '1', note: 'x' } }, { at: { street: 'a', zip: '1' } }],
  ])('guard: is dropped: %j', (input, left) => {
    expect(mendWith(schema, { name: 'x', ...input })).toMatchObject({
      status: 'mended',
      input: { name: 'x', ...left },
    });
  });
});
