import { describe, expect, it } from 'vitest';
import { mend, type Repair, Toolbox, tool } from '../../src/index.ts';
import { cpuOf } from '../../test/cpu-of.ts';
import { marksOf } from './mark.ts';
import { nest, type Stretch } from './nest.ts';
import { placeMarks } from './place-marks.ts';

const string = { type: 'string' } as const;
const edit = { type: 'object', properties: { path: string, find: string }, required: ['path', 'find'] } as const;
const toolbox = new Toolbox([
  tool({
    name: 'read_file',
    description: 'Reads',
    inputSchema: {
      type: 'object',
      properties: { path: string, limit: { type: 'integer' }, mode: { enum: ['whole_word'] } },
      required: ['path'],
      additionalProperties: false,
    },
  }),
  tool({
    name: 'edit',
    description: 'Edits',
    inputSchema: { type: 'object', properties: { edits: { type: 'array', items: edit } }, required: ['edits'] },
  }),
]);

/** The text with each marked stretch in brackets that say what is marked. */
function drawn(name: string, text: string): string {
  const outcome = mend({ name, arguments: text }, toolbox);
  const { placed, left } = placeMarks(text, marksOf(outcome.repairs, outcome.problems));
  const write = (stretches: readonly Stretch[]): string =>
    stretches
      .map((stretch) => {
        if (stretch.type === 'plain') return stretch.text;
        const kinds = stretch.marks.map((mark) => (mark.type === 'repair' ? mark.repair.kind : mark.problem.code));
        return `‹${kinds.join('+')}:${write(stretch.inner)}›`;
      })
      .join('');
  const over = left.map((mark) => (mark.type === 'repair' ? mark.repair.kind : mark.problem.code));
  return [write(nest(text, placed)), ...over].join(' | ');
}

describe('marks in what the model wrote', () => {
  it.each([
    ['a comma too many', 'read_file', '{"path": "a",}', '{"path": "a"‹comma:,›}'],
    ['a comma that is missing', 'read_file', '{"path": "a" "limit": 1}', '{"path": "a"‹comma:› "limit": 1}'],
    ['a bare key', 'read_file', '{path: "a"}', '{‹quote:path›: "a"}'],
    ['a type', 'read_file', '{"path": "a", "limit": "5"}', '{"path": "a", "limit": ‹type:"5"›}'],
    ['a key in another spelling', 'read_file', '{"Path": "a"}', '{‹key:"Path"›: "a"}'],
    ['an allowed value', 'read_file', '{"path":"a","mode":"Whole Word"}', '{"path":"a","mode":‹enum:"Whole Word"›}'],
    ['a missing bracket', 'read_file', '{"path": "a"', '{"path": "a"‹closer:›'],
    [
      'prose and a fence',
      'read_file',
      'Sure:\n```json\n{"path": "a"}\n```',
      '‹prose:Sure:›\n‹fence:```json›\n{"path": "a"}\n```',
    ],
    [
      'a place inside a list',
      'edit',
      '{"edits": [{"path": "a", "find": "x"}, {"path": "b", "find": 7}]}',
      '{"edits": [{"path": "a", "find": "x"}, {"path": "b", "find": ‹type:7›}]}',
    ],
    [
      'inside a wrapper that was taken off',
      'read_file',
      '{"arguments": {"path": "a", "limit": "5"}}',
      '{"arguments": {"path": "a", "limit": ‹type:"5"›}} | wrapper',
    ],
    ['a fault', 'read_file', '{"path": null}', '{"path": ‹type:null›}'],
    ['what is not there at all', 'read_file', '{}', '{‹required:›}'],
    ['a key that is dropped', 'read_file', '{"path": "a", "zzz": [1, 2]}', '{"path": "a", "zzz": ‹dropped:[1, 2]›}'],
  ])('shows %s', (_case, name, text, expected) => {
    expect(drawn(name, text)).toBe(expected);
  });

  it('loses no character and no mark, whatever the places are', () => {
    const text = 'abcdefghij';
    const mark = marksOf([{ path: [], kind: 'comma', before: ',', certainty: 'lossless' }], []);
    const at = (start: number, end: number) => ({ start, end, marks: mark });
    const placed = [at(0, 10), at(0, 4), at(2, 6), at(3, 3), at(10, 10)];
    const read = (stretches: readonly Stretch[]): string =>
      stretches.map((one) => (one.type === 'plain' ? one.text : read(one.inner))).join('');
    const count = (stretches: readonly Stretch[]): number =>
      stretches.reduce((sum, one) => sum + (one.type === 'plain' ? 0 : 1 + count(one.inner)), 0);
    expect(read(nest(text, placed))).toBe(text);
    expect(count(nest(text, placed))).toBe(placed.length);
  });

  it('takes text of any kind in good time', () => {
    const repair: Repair = { path: ['a'], kind: 'type', before: '1', after: 1, certainty: 'inferred' };
    for (const piece of ['"', '{', '[', "'a ", '{"a": ', '" "', ': , ', '/*', '\\']) {
      const text = piece.repeat(40_000);
      expect(
        cpuOf(() => placeMarks(text, marksOf([repair], []))),
        piece,
      ).toBeLessThan(3000);
    }
  });
});
