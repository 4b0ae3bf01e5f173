import { describe, expect, it } from 'vitest';
import { kindStatus, statusKind, takesNoTools } from './errors.ts';

it.each([
  [400, 'request', false],
  [401, 'request', false],
  [408, 'timeout', true],
  [429, 'rate_limit', true],
  [500, 'server', true],
  [503, 'server', true],
  [529, 'server', true],
  [200, 'protocol', false],
])('guard: status %i is %s, retryable: %s', (status, kind, retryable) => {
  expect(statusKind(status)).toEqual({ kind, retryable, status });
});

it('converts a kind to a status and back', () => {
  for (const kind of ['request', 'rate_limit', 'server', 'timeout'] as const) {
    expect(statusKind(kindStatus[kind]).kind).toBe(kind);
  }
});

describe('takesNoTools', () => {
  const refusal = (status: number, message: string) => takesNoTools({ ...statusKind(status), message });

  it.each([
    [500, 'tools param requires --jinja flag'],
    [500, 'Unsupported param: tools'],
    [400, '`tools` is not supported with this model'],
    [400, 'Tool calling is not supported by this model'],
    [422, 'Function calling is not supported'],
    [400, 'This model does not support tool use'],
    [501, "The model doesn't support function calling"],
  ])('recognizes %i %s', (status, message) => {
    expect(refusal(status, message)).toBe(true);
  });

  it.each([
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [400, 'registry.ollama.ai/library/gemma3:4b does not support tools'],
  ])('guard: recognizes %i %s', (status, message) => {
    expect(refusal(status, message)).toBe(true);
  });

  it.each([
    [500, 'Jinja Exception: System message must be at the beginning.'],
    [400, 'tool_choice is required'],
    [400, "Unsupported parameter: 'temperature' is not supported with this model"],
    [500, 'Unsupported param: logprobs'],
    [400, 'Images are not supported with this model, but tools are'],
    [400, 'Invalid schema for function "f": tools.0.function.parameters'],
    [500, 'error parsing tool call: raw='],
    [429, 'Too many requests: the tier does not support tools'],
    [200, 'This model does not support tools'],
  ])('guard: is false for %i %s', (status, message) => {
    expect(refusal(status, message)).toBe(false);
  });
});
