import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import type { Dialect } from '../../src/dialect/types.ts';
import type { Example } from './example.ts';
import { readExample, wantedOf } from './read-example.ts';

/** Dialects that nobody speaks, one of each kind: a row and its examples are all there is to adding one. */
const added: readonly (readonly [Dialect, readonly Example[]])[] = [
  [
    {
      name: 'box',
      group: 'A',
      families: 'none',
      list: true,
      keys: ['tool', 'input'],
      forms: [{ open: '<<box>>', body: 'call', close: ['<</box>>'] }],
      think: [['<<hm>>', '<</hm>>']],
    },
    [
      { text: '<<box>>{"tool": "f", "input": {"a": 1}}<</box>>', calls: [{ name: 'f', arguments: { a: 1 } }] },
      {
        text: '<<hm>>so<</hm>>Yes.\n<<box>>[{"tool": "f", "input": {}}, {"tool": "g", "input": {"b": "<</box>>"}}]<</box>> Bye.',
        calls: [
          { name: 'f', arguments: {} },
          { name: 'g', arguments: { b: '<</box>>' } },
        ],
        left: 'Yes.\n Bye.',
        reasoning: 'so',
      },
    ],
  ],
  [
    {
      name: 'at',
      group: 'B',
      families: 'none',
      forms: [{ open: '@call {name}\n', body: 'args', close: ['@end'] }],
    },
    [
      { text: 'Well. @call f\n{"a": "@end"}\n@end', calls: [{ name: 'f', arguments: { a: '@end' } }], left: 'Well.' },
      {
        text: '@call f\n{}@end@call g\n{"b": [2]}@end',
        calls: [
          { name: 'f', arguments: {} },
          { name: 'g', arguments: { b: [2] } },
        ],
      },
    ],
  ],
  [
    {
      name: 'do',
      group: 'C',
      families: 'none',
      sections: [['<all>', '</all>']],
      forms: [{ open: '<do what="{name}">', body: 'params', param: '<with {key}>{value}</with>', close: ['</do>'] }],
    },
    [
      {
        text: '<all><do what="f"><with a>1</with><with b>x </wit> y</with></do></all>',
        calls: [{ name: 'f', arguments: { a: 1, b: 'x </wit> y' } }],
      },
    ],
  ],
  [
    {
      name: 'py',
      group: 'E',
      families: 'none',
      forms: [{ open: '<py>~{python}', body: 'python', close: ['</py>'] }],
    },
    [{ text: "<py>f(a=1, b=['x'])</py>", calls: [{ name: 'f', arguments: { a: 1, b: ['x'] } }] }],
  ],
];

describe.each(added)('adding a dialect as a row with examples: $name', (row, examples) => {
  it.each(examples)('reads $text', (example) => {
    for (const chunk of [undefined, 1, 2, 5]) expect(readExample(example, row, chunk)).toEqual(wantedOf(example));
  });

  it('reads what it writes', () => {
    const calls = [
      { name: 'f', arguments: { a: 1, b: ['x'] } },
      { name: 'g', arguments: { c: 'words' } },
    ];
    const { calls: read, text } = readCalls(renderCalls(calls, row), undefined, { dialect: row });
    expect(read.map(({ name, input }) => ({ name, arguments: input }))).toEqual(calls);
    expect(text.trim()).toBe('');
  });
});
