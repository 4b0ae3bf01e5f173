import { describe, expect, it } from 'vitest';
import { colour } from '../terminal/colour.ts';
import { type LoweredDefinition, type PlacedChange, placeOf, showLowering } from './lowering.ts';

const change = (path: PlacedChange['path'], word: string, kind: PlacedChange['kind'], why: string): PlacedChange => ({
  line: 1,
  column: 2,
  path,
  word,
  kind,
  why,
});
const lowered = (changes: readonly PlacedChange[], covers = true): LoweredDefinition => ({
  file: 'a.json',
  tool: 'search',
  provider: 'gemini' as const,
  name: 'search',
  covers,
  changes,
  schema: {},
});
const plain = colour({}, { NO_COLOR: '1' });

describe('showLowering', () => {
  it('puts changes of one kind for one reason into one row, as wide as the terminal', () => {
    const changes = [
      change(['properties', 'url'], 'format', 'described', 'the format is refused'),
      change(['properties', 'edits', 'items', 'properties', 'at'], 'format', 'described', 'the format is refused'),
      change([], 'anyOf', 'described', 'the root must be one object'),
    ];
    expect(showLowering([lowered(changes, false)], plain, 50)).toBe(
      [
        'search  a.json',
        "  gemini  can't express every value that the schema allows",
        '    format  described  url, edits[].at: the format',
        '                       is refused',
        '    anyOf   described  the root must be one object',
        '',
        'gemini  would reject 1 of 1: 3 described',
        '',
      ].join('\n'),
    );
  });

  it('lets nothing of a file reach the terminal as control codes', () => {
    const evil = '\u001b[2J';
    const shown = showLowering(
      [{ ...lowered([change(['properties', evil], evil, 'dropped', evil)]), tool: evil, file: evil }],
      plain,
      80,
    );
    expect(shown).not.toContain('\u001b');
  });

  it.each([
    [[], '(root)'],
    [['properties', 'a', 'properties', 'b'], 'a.b'],
    [['properties', 'a', 'items', 'items'], 'a[][]'],
    [['properties', 'a', 'prefixItems', 1], 'a[1]'],
    [['properties', 'a', 'anyOf', 0], 'a.anyOf[0]'],
    [['$defs', 'Node', 'properties', 'items'], '$defs.Node.items'],
  ])('%j is %s', (path, place) => {
    expect(placeOf(path)).toBe(place);
  });
});
