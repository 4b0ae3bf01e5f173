/** Unquoted text that is several pairs (`src:app,data:db`): refused where its second pair may be a key; and text that is several items. */
import { describe, expect, it } from 'vitest';
import { JsonReader } from '../../src/json/reader.ts';
import { closed, mendWith, open, problemCodes, statusByEffect, string, strings } from './mend-with.ts';

describe('text without quotes that may be several pairs', () => {
  const map = closed({ map: { type: 'object', additionalProperties: string } });
  const any = open({ volumes: string, image: string });
  const texts: readonly (readonly [schema: unknown, text: string])[] = [
    [any, '{"image": nginx, "volumes": src:app,data:db}'],
    [any, '{"volumes": env:prod,tier:web}'],
    [any, '{"volumes": env:prod, tier:web}'],
    [any, '{volumes: A1:B2,C1:D2}'],
    [any, '{"image": box, "volumes": color:red; margin:0}'],
    [any, '{"volumes": 80:80,443:443}'],
    [any, '{"volumes": 10:30,11:30}'],
    [any, '{volumes: A:1,B:2, image: ls}'],
    [any, '{volumes:src:app,data:db}'],
    [any, '{"volumes": a.b:c,d:e,f:g, "image": "x"}'],
    [map, '{"map": {users: www:www,data:db}}'],
    [map, '{"map": {users: www:www, data:db}}'],
  ];
  it.each(texts)('%#: %j is refused', (schema, text) => {
    expect(statusByEffect(schema, text)).toEqual(['invalid', 'invalid', 'invalid']);
    expect(problemCodes(text, text)).toEqual(problemCodes(text));
  });

  it.each([
    ['{volumes: src:app, image: nginx}', { volumes: 'src:app', image: 'nginx' }],
    ['{"volumes": src:app, "image": nginx:1}', { volumes: 'src:app', image: 'nginx:1' }],
    ['{"volumes": src:app,"image": nginx}', { volumes: 'src:app', image: 'nginx' }],
    ['{volumes: http://a.b/c, extra: x}', { volumes: 'http://a.b/c', extra: 'x' }],
    ['{volumes:a,image:b}', { volumes: 'a', image: 'b' }],
    ['{volumes: src:app,\nimage: nginx}', { volumes: 'src:app', image: 'nginx' }],
    ['{"volumes": src:app}', { volumes: 'src:app' }],
  ])('guard: %j is read', (text, input) => {
    expect(mendWith(any, text)).toMatchObject({ status: 'mended', input });
    const reader = new JsonReader({ want: 'object' });
    for (const char of text) reader.push(char);
    expect(reader.end().value).toEqual(input);
  });
});

describe('text for a list', () => {
  const list = (key: string) => closed({ [key]: strings }, [key]);
  it.each([
    ['dates', '2026-01-01 2026-01-02'],
    ['refs', 'PROJ-1 PROJ-2'],
    ['nodes', 'web1 web2'],
    ['numbers', '10 20'],
    ['args', 'install lodash'],
    ['extra_args', 'build prod'],
    ['flagsToPass', '-n 5 file'],
    ['columns', 'id name email'],
    ['to', 'Ann <ann@x.org> Bob <bob@x.org>'],
    ['words', 'grep -n x'],
    ['symbols', 'AAPL MSFT'],
    ['symbols', 'AAPL BRK.B'],
    ['pairs', 'BTC-USD ETH-USD'],
    ['airports', 'TXL  FRA MUC'],
    ['ids', 'A1 B2C'],
  ])('%s: %s may be several items', (key, text) => {
    expect(statusByEffect(list(key), { [key]: text })).toEqual(['invalid', 'invalid', 'invalid']);
  });
  it.each([
    ['cities', 'New York'],
    ['tags', 'machine learning'],
    ['titles', 'Windows 10'],
    ['dates', '2026-01-01 10:00'],
    ['args', 'lodash'],
    ['columns', 'first_name'],
    ['to', 'Ann <ann@x.org>'],
    ['titles', 'Catch 22 of war'],
    ['notes', 'a - b'],
    ['titles', 'NASA report'],
    ['titles', 'ROOM 12'],
    ['titles', 'I win'],
    ['cities', '北京 上海'],
    ['symbols', 'AAPL'],
  ])('guard: %s: %s is one', (key, text) => {
    expect(mendWith(list(key), { [key]: text })).toMatchObject({ status: 'mended', input: { [key]: [text] } });
  });
});
