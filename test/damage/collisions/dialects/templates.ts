/** Tools whose calls are written as text, in every dialect and read in every way. */
import { dialects } from '../../../../src/dialect/dialects/index.ts';
import type { JsonValue } from '../../../../src/json/value.ts';
import type { SchemaObject } from '../../../../src/schema/types.ts';
import type { Random } from '../../random.ts';
import { bool, closed, int, listOf, num, str } from '../../words.ts';
import { contentOf, familyOf } from '../contents.ts';
import { listsOf, maybe, type Template, vary } from '../template.ts';
import { formOf } from './pieces.ts';

interface TextTool {
  readonly name: string;
  readonly json: SchemaObject;
  family(random: Random): JsonValue[];
}

const modes = ['create', 'append', 'replace'] as const;

const tools: readonly TextTool[] = [
  {
    name: 'write_file',
    json: closed({ path: str, content: str }, ['path', 'content']),
    family: (random) => vary({ path: contentOf(random, 'path'), content: '' }, 'content', familyOf(random)),
  },
  {
    name: 'save_note',
    json: closed({ content: str, path: str, line: int }, ['path', 'content']),
    family: (random) =>
      vary(
        { content: '', path: contentOf(random, 'path', 'word'), ...maybe(random, 'line', random.between(1, 90)) },
        'content',
        familyOf(random),
      ),
  },
  {
    name: 'edit_file',
    json: closed({ path: str, old_text: str, new_text: str, all: bool, line: int }, ['path', 'old_text', 'new_text']),
    family: (random) => {
      const [old = 'a', ...more] = familyOf(random);
      return vary(
        { path: 'src/a.ts', old_text: old, new_text: '', ...maybe(random, 'all', true), ...maybe(random, 'line', 3) },
        'new_text',
        [old, ...more, contentOf(random)],
      );
    },
  },
  {
    name: 'tag_items',
    json: closed({ tags: listOf(str), note: str }, ['tags']),
    family: (random) =>
      vary(
        { tags: [], ...maybe(random, 'note', contentOf(random)) },
        'tags',
        listsOf(random, 'word', 'prose', 'id', 'path', 'shell', 'code'),
      ),
  },
  {
    name: 'configure',
    json: closed({ name: str, options: closed({ title: str, depth: int, tags: listOf(str) }, ['title']) }, [
      'name',
      'options',
    ]),
    family: (random) => {
      const base = { title: '', ...maybe(random, 'depth', random.int(9)), ...maybe(random, 'tags', ['a', 'b c']) };
      const name = contentOf(random, 'word');
      return vary(base, 'title', familyOf(random)).map((options) => ({ name, options }));
    },
  },
  {
    name: 'set_level',
    json: closed({ mode: { type: 'string', enum: [...modes] }, level: num, id: str, note: str }, ['mode', 'level']),
    family: (random) =>
      vary(
        { mode: random.pick(modes), level: random.pick([0, 1, 2.5, -3, 1000]), ...maybe(random, 'id', '007') },
        'note',
        [undefined, ...familyOf(random)],
      ),
  },
];

const ways = ['named', 'auto', 'prompted'] as const;

/** Each tool in each dialect that writes calls, read in each way; without detection if `auto` leaves the dialect out. */
export const dialectTemplates: readonly Template[] = dialects
  .filter((row) => formOf(row) !== undefined || row.frame !== undefined)
  .flatMap((row) =>
    ways
      .filter((reading) => reading === 'named' || !row.manual)
      .flatMap((reading) =>
        tools.map(
          ({ name, json, family }): Template => ({
            name: `${name} in ${row.name}, ${reading}`,
            schema: json,
            json,
            effect: 'write',
            way: 'text',
            text: { row, reading, tool: name },
            family,
          }),
        ),
      ),
  );
