/** Text in Python calls whose quotes are not escaped: refused, because a quote may end the text or belong to it. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, string } from './mend-with.ts';

const toolbox = new Toolbox([
  tool({ name: 'act', description: 'Acts', inputSchema: closed({ path: string, content: string }), effect: 'write' }),
  tool({
    name: 'wipe',
    description: 'Wipes',
    inputSchema: closed({ sql: string, tags: { type: 'array' } }),
    effect: 'destructive',
  }),
]);
const ways = [{ dialect: 'llama4-pythonic' }, { dialect: 'pythonic' }, { dialect: 'auto' }, { prompted: true }];
const ran = (message: string) =>
  ways.flatMap((way) => readCalls(message, toolbox, way).calls.filter(({ status }) => status !== 'invalid'));
describe('text with unescaped quotes', () => {
  it.each([
    '[act(path="a", content="he said "}" and "]"")]',
    '[act(path="a", content="grep "}" a.txt")]',
    '[act(path="a", content="cut -d "]" -f 1")]',
    '[act(path="a", content="const s = "]";")]',
    '[act(path="a", content="cut -d " " -f 1 a.txt")]',
    '[act(path="a", content="cut -d" " -f1 a.txt")]',
    "[act(path='a', content='sort -t ' ' -k 2 a.txt')]",
    '[act(path="a", content="tr " " "_" < a")]',
    '[act(path="a", content="join with " + " signs")]',
    '[act(path="a", content="x.split("+")")]',
    '[act(path="a", content="echo " "")]',
    '[act(content="x"}, {"y")]',
    '[wipe(sql="/data/{a,b"})]',
    '[wipe(\n    sql="DELETE FROM t WHERE note = " # " AND id = 5"\n)]',
    '[wipe(\n    sql="^server " #prod" off"\n)]',
    '[wipe(tags=["a", #bug, "c"\n])]',
    "[wipe(sql='build\\_old')]",
  ])('is refused: %j', (message) => {
    expect(ran(message)).toEqual([]);
  });
  it('keeps an escaped backslash before an underscore', () => {
    const inputs = ran("[act(path='a.tex', content='see file\\\\_name')]").map(({ input }) => input);
    expect(inputs).toEqual(ways.map(() => ({ path: 'a.tex', content: 'see file\\_name' })));
  });
  it.each([
    ['[act(path="a", # first\n content="b")]', 'b'],
    ['[act(\n  # the "first" one\n  path="a",\n  content="b"  # was: "old"\n)]', 'b'],
    ['[act(path="a", content="ls " + "-la")]', 'ls -la'],
    ['[act(path="a", content="one " "two")]', 'one two'],
  ])('guard: is read: %j', (message, content) => {
    expect(ran(message).map(({ input }) => input)).toEqual(ways.map(() => ({ path: 'a', content })));
  });
});
