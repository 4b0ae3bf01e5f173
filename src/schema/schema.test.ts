import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as v3 from 'zod/v3';
import { schemaOf } from './schema.ts';
import { checkerOf } from './validate/compile.ts';

describe('schemaOf', () => {
  it('S0.2 knows a schema by what it can do, and checks nothing without one', () => {
    const own = { '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) } };
    const kinds = [z.string(), v3.z.string(), own, { type: 'string' }, true, undefined, null].map(
      (one) => schemaOf(one).kind,
    );
    expect(kinds).toEqual(['zod', 'zod', 'standard', 'json', 'json', 'none', 'none']);
    expect(schemaOf(undefined).check({ any: 'thing' })).toEqual({ ok: true, value: { any: 'thing' } });
    // A schema from another copy of the library is no instance of ours.
    const copy = Object.assign(Object.create(null), { _zod: {}, safeParse: () => ({ success: true, data: 1 }) });
    expect(schemaOf(copy).check('x')).toEqual({ ok: true, value: 1 });
  });

  it('S0.2 accepts a schema that only has safeParse, with its output and its own words', () => {
    const own = {
      safeParse: (value: unknown) =>
        typeof (value as { n?: unknown }).n === 'number'
          ? { success: true, data: { n: 2 } }
          : { success: false, error: { issues: [{ path: ['n'], message: 'n must be a number' }] } },
    };
    expect(schemaOf(own).check({ n: 1 })).toEqual({ ok: true, value: { n: 2 } });
    expect(schemaOf(own).check({ n: 'x' })).toMatchObject({ ok: false, problems: [{ path: ['n'] }] });
    const bare = { safeParse: () => ({ success: false, error: new Error('not today') }) };
    expect(schemaOf(bare).check({})).toMatchObject({
      ok: false,
      problems: [{ path: [], message: expect.stringContaining('does not match its schema') }],
    });
    expect(schemaOf(bare).json).toBeUndefined();
  });

  it('a JSON Schema with properties named like a validator is still a JSON Schema', () => {
    expect(schemaOf({ type: 'object', properties: { safeParse: {}, _zod: {} } }).kind).toBe('json');
  });

  it('says what a schema is where it gets something else', () => {
    expect(() => schemaOf('string')).toThrow(/a JSON Schema, got string/);
  });

  it('C14 checks an MCP tool by its JSON Schema, and gives back the value itself without defaults', () => {
    const schema = schemaOf({ type: 'object', properties: { n: { type: 'number', default: 3 } }, required: ['q'] });
    const value = { q: 1 };
    const checked = schema.check(value);
    expect(checked.ok && checked.value).toBe(value);
    expect(value).toEqual({ q: 1 });
    expect(schema.check({ n: 'x' })).toMatchObject({ ok: false, problems: [{ code: 'type' }, { code: 'required' }] });
  });
});

describe('checkerOf', () => {
  it('S1.2 keeps a checker by its schema object, and by text for one parsed anew', () => {
    const text = '{"type":"object","properties":{"only_here":{"type":"string"}}}';
    const schema = JSON.parse(text);
    expect(checkerOf(schema)).toBe(checkerOf(schema));
    expect(checkerOf(JSON.parse(text))).toBe(checkerOf(schema));
    expect(checkerOf({ ...schema, title: 'another' })).not.toBe(checkerOf(schema));
  });

  it('keeps a bounded number by text', () => {
    const first = checkerOf(JSON.parse('{"title":"first"}'));
    for (let index = 0; index < 600; index++) checkerOf({ title: `filler ${index}` });
    expect(checkerOf(JSON.parse('{"title":"first"}'))).not.toBe(first);
  });

  it('takes a schema that has no text', () => {
    const schema: Record<string, unknown> = { type: 'object', properties: {} };
    (schema.properties as Record<string, unknown>).self = schema;
    expect(checkerOf(schema).passes({ self: { self: 5 } })).toBe(false);
    expect(checkerOf(schema).passes({ self: { self: {} } })).toBe(true);
  });
});
