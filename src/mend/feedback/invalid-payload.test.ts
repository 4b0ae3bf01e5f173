import { describe, expect, it } from 'vitest';
import type { BadOutcome } from '../outcome.ts';
import { invalidPayload } from './feedback.ts';

const bad = (more: Partial<BadOutcome>): BadOutcome => ({
  status: 'invalid',
  errorType: 'validation',
  raw: { name: 'read', arguments: '{}' },
  name: 'read',
  input: {},
  repairs: [],
  problems: [{ path: ['path'], code: 'required', message: "Field 'path' is required but missing" }],
  ...more,
});

describe('invalidPayload', () => {
  it('S4.2 carries the tool, the error and the arguments received', () => {
    expect(invalidPayload(bad({}))).toEqual({
      tool: 'read',
      error: expect.stringContaining("1. Field 'path' is required but missing"),
      receivedArgs: {},
    });
  });

  it('S4.2 arguments that could not be read are passed as their text', () => {
    const raw = { name: 'read', arguments: '<<<' };
    expect(invalidPayload(bad({ raw, input: undefined })).receivedArgs).toBe('<<<');
  });

  it('C3 is valid even where the name was undefined and the arguments are no JSON', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const value of [cycle, 10n, undefined, () => 1]) {
      const name = undefined as unknown as string;
      const payload = invalidPayload(
        bad({ name, raw: { name, arguments: value }, input: value, errorType: 'unknown_tool' }),
      );
      expect(payload.tool).toBe('unknown');
      expect(typeof payload.error).toBe('string');
      expect(JSON.parse(JSON.stringify(payload))).toHaveProperty('receivedArgs');
    }
  });
});
