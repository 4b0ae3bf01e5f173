import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { isOn, type StreamedEvent } from '../src/log/subscribe.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/reference/log.md'), 'utf8');

/** The rows of the table under a heading: an event's type, and the channels it is said to be on. */
const rows = (heading: string): Map<string, string> => {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return new Map(
    [...section.matchAll(/^\| `([a-z.]+)` \|.*\| *([a-z, ]*?) *\|$/gm)].map(([, type = '', on = '']) => [type, on]),
  );
};

/** The types of a union's members, as the type checker knows them. */
function typesOf(union: string): string[] {
  const file = join(root, 'src/log/events.ts');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const program = ts.createProgram([file], ts.parseJsonConfigFileContent(config, ts.sys, root).options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  const found = symbol && checker.getExportsOfModule(symbol).find(({ name }) => name === union);
  if (!found) throw new Error(`There is no ${union}`);
  const type = checker.getDeclaredTypeOfSymbol(found);
  return (type.isUnion() ? type.types : [type]).map((member) => {
    const property = member.getProperty('type');
    const literal = property && checker.getTypeOfSymbol(property);
    return literal?.isStringLiteral() ? literal.value : '';
  });
}

const channelsOf = (event: { readonly type: string; readonly seq?: number }): string =>
  (['progress', 'control'] as const).filter((channel) => isOn(event as StreamedEvent, [channel])).join(', ');

describe('the page on the log', () => {
  it.each([
    ['Events', 'RunFact'],
    ['Live events', 'LiveEvent'],
  ])('%s: it names each there is, with its channels, and no other', (heading, union) => {
    const said = rows(heading);
    expect([...said.keys()].sort()).toEqual(typesOf(union).sort());
    for (const [type, on] of said) expect([type, on]).toEqual([type, channelsOf({ type })]);
  });
});
