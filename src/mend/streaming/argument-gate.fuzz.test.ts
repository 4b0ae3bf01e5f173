import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/sample.ts';
import type { SchemaObject } from '../../schema/types.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { mend } from '../mend.ts';
import { ArgumentGate } from './argument-gate.ts';
import { jsonSuffix } from './json-suffix.ts';

const schema: SchemaObject = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer' },
    ratio: { type: 'number' },
    deep: { type: 'boolean' },
    mode: { type: 'string', enum: ['r', 'w'] },
    tags: { type: 'array', items: { type: 'string' } },
    at: { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] },
    any: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  },
  required: ['path'],
};
const toolbox = new Toolbox([tool({ name: 't', description: 'T', inputSchema: schema })]);
const fed = (text: string): string => new ArgumentGate(schema).feed(text);

describe('the gate', () => {
  it.each([
    ['{"path": "a', 'clear'],
    ['{"path": "a,', 'open'],
    ['{"path": "a, b', 'clear'],
    ['{"path": "a\\u00', 'open'],
    ['{"path": "a"', 'open'],
    ['{"path": "a", "tags": ["x", "limi', 'open'],
    ['{"path": "a", "tags": ["x", "lime', 'clear'],
    ['{"tags": [', 'clear'],
    ['{"tags": ["a",', 'open'],
    ['{"path"', 'open'],
    ['{"path": "a\\n\\u00e9"', 'open'],
    ['{"path": "a", "limit": 5', 'open'],
    ['{"path": "a", "limit": 5,', 'open'],
    ['{"mode": "r', 'open'],
    ['{"mode": "r"', 'clear'],
    ['{"tags": ["a", "b"], "at": {"line": 3}, "deep": true, "ratio": 1.5}', 'open'],
    ['{"pa', 'open'],
    ['{}', 'open'],
    ["{'", 'shut'],
    ['{"Path"', 'shut'],
    ['{"limit": "', 'shut'],
    ['{"limit": 5.0,', 'shut'],
    ['{"limit": 12345678901234567890,', 'shut'],
    ['{"mode": "x"', 'shut'],
    ['{"path": "a", "path"', 'shut'],
    ['{"path": "a\n', 'shut'],
    ['{"path": "\\d', 'shut'],
    ['{"tags": "', 'shut'],
    ['{"tags": ["a",]', 'shut'],
    ['{"path": "a",}', 'shut'],
    ['{"any": ', 'open'],
    ['{"any": 1', 'shut'],
    ['{"deep": True', 'open'],
    ['{"deep": True,', 'shut'],
    ['[', 'shut'],
    ['{} {', 'shut'],
  ])('after %j is %s', (text, state) => {
    expect(fed(text)).toBe(state);
  });

  it('whatever was sent can be continued, however the call is mended', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        ' ',
        '"',
        "'",
        'path',
        'Path',
        'limit',
        'tags',
        'at',
        'line',
        'mode',
        'any',
        'r',
      ],
      ...[
        '"path"',
        '"limit"',
        '"tags"',
        '"at"',
        '"line"',
        '"mode"',
        '"deep"',
        '"any"',
        'a',
        '5',
        '"5"',
        'true',
        'True',
        '\\n',
        '\n',
      ],
      ...['"path": "a b"', '"limit": 5', '"tags": ["x"]', '"at": {"line": 3}', 'null', '1.0', '```json\n', '// c\n'],
    );
    const property = fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const gate = new ArgumentGate(schema);
      let sent = '';
      let waiting = '';
      for (const one of pieces) {
        waiting += one;
        const state = gate.feed(one);
        if (state === 'shut') break;
        if (state === 'open') continue;
        sent += waiting;
        waiting = '';
      }
      const outcome = mend({ name: 't', arguments: pieces.join('') }, toolbox);
      if (outcome.status !== 'mended' || sent === '') return;
      const rest = jsonSuffix(sent, outcome.input);
      expect(rest).toBeDefined();
      expect(JSON.parse(sent + rest)).toEqual(outcome.input);
    });
    fc.assert(property, { numRuns: runs(3000) });
  });

  it('says the same however the text is cut', () => {
    const words = fc.constantFrom(
      '"a b',
      '\\n',
      '\\',
      '"',
      '\n',
      '🙂',
      '\ud83d',
      '{"path": "',
      '{"tags": ["',
      ', ',
      '5',
      '\\u00',
      'e9',
    );
    const property = fc.property(fc.array(words, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (pieces, size) => {
      const text = pieces.join('');
      const gate = new ArgumentGate(schema);
      let state = gate.feed('');
      for (let at = 0; at < text.length; at += size) state = gate.feed(text.slice(at, at + size));
      expect(state).toBe(fed(text));
    });
    fc.assert(property, { numRuns: runs(2000), examples: [[['{"path": "', '"a b', '\\', 'e9'], 1]] });
  });
});
