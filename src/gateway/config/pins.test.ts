import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Pins } from './pins.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-pins-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('Pins', () => {
  it('what one process accepts another knows, and neither forgets what the other wrote', () => {
    const file = join(folder, 'new', 'pins.json');
    const [here, there] = [new Pins(file), new Pins(file)];
    here.of('a').pin([{ name: 'x', hash: '1', definition: {} }]);
    there.of('b').pin([{ name: 'y', hash: '2', definition: {} }]);
    here.refresh();
    expect([here.of('a').hashOf('x'), here.of('b').hashOf('y'), here.of('c').begun]).toEqual(['1', '2', false]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      accepted: { a: { x: '1' }, b: { y: '2' } },
      definitions: { a: { x: {} }, b: { y: {} } },
    });
  });

  it('F9 a tool or server of any name is one like any other', () => {
    const pins = new Pins(join(folder, 'odd.json'));
    expect([pins.of('toString').begun, pins.of('a').hashOf('constructor')]).toEqual([false, undefined]);
    pins.of('__proto__').pin([{ name: 'constructor', hash: '1', definition: {} }]);
    const again = new Pins(join(folder, 'odd.json'));
    expect([again.of('__proto__').hashOf('constructor'), again.namesOf('__proto__')]).toEqual(['1', ['constructor']]);
    expect(again.namesOf('toString')).toEqual([]);
  });

  it.each(['', '[]', '{"accepted": {"a": {"x": 1}}}', '{'])('a file that holds %j is refused', (text) => {
    const file = join(folder, 'bad.json');
    writeFileSync(file, text);
    expect(() => new Pins(file)).toThrow("the accepted definitions can't be read");
  });

  it('reports a file that cannot be written, and keeps acceptances for this process', () => {
    const said: string[] = [];
    const file = join(folder, 'unwritable.json');
    mkdirSync(`${file}.${process.pid}`);
    const pins = new Pins(file, (line) => said.push(line));
    pins.of('a').pin([{ name: 'x', hash: '1', definition: {} }]);
    expect(said).toEqual([expect.stringContaining("the accepted definitions can't be saved")]);
    expect(pins.of('a').hashOf('x')).toBe('1');
  });
});
