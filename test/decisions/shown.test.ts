/** F28 The approver sees every argument as it is: in the terminal, in what the gateway asks, and as the page takes it. */
import { describe, expect, it } from 'vitest';
import { approvalLines, approvalPrompt } from '../../src/cli/run/call-lines.ts';
import { colour } from '../../src/cli/terminal/colour.ts';
import { requestApproval } from '../../src/gateway/handlers/call-tool.ts';
import { shownArguments } from '../../src/log/shown/shown-arguments.ts';
import { visibleJson, visibleLines } from '../../src/log/shown/visible.ts';
import { tool } from '../../src/tools/tool.ts';
import { growthOf } from '../cpu-of.ts';

const page = { paint: colour({ isTTY: false }, {}), width: 80 };
const destroys = tool({ name: 'drop', description: 'Drops', effect: 'destructive' });

const inTerminal = (name: string, input: unknown): string =>
  approvalLines({ tool: destroys, name, input, reason: 'it may destroy something', rule: name }, page);
const inGateway = (name: string, input: unknown): string => {
  const asked = requestApproval(
    { name, input, effect: 'destructive', reason: 'it may destroy something' },
    { always: true },
  );
  return (asked.toolmend_approval as { params: { message: string } }).params.message;
};
const places: readonly [string, (name: string, input: unknown) => string][] = [
  ['terminal', inTerminal],
  ['gateway', inGateway],
];

const hidden: readonly [string, string, string][] = [
  ['right-to-left override', '\u202e', '\\u202e'],
  ['left-to-right isolate', '\u2066', '\\u2066'],
  ['pop isolate', '\u2069', '\\u2069'],
  ['right-to-left mark', '\u200f', '\\u200f'],
  ['Arabic letter mark', '\u061c', '\\u061c'],
  ['zero-width space', '\u200b', '\\u200b'],
  ['zero-width joiner', '\u200d', '\\u200d'],
  ['word joiner', '\u2060', '\\u2060'],
  ['byte order mark', '\ufeff', '\\ufeff'],
  ['soft hyphen', '\u00ad', '\\u00ad'],
  ['escape', '\u001b', '\\u001b'],
  ['backspace', '\b', '\\b'],
  ['carriage return', '\r', '\\r'],
  ['line feed', '\n', '\\n'],
  ['NUL', '\0', '\\u0000'],
  ['delete', '\u007f', '\\u007f'],
  ['C1 control', '\u009b', '\\u009b'],
  ['line separator', '\u2028', '\\u2028'],
  ['lone surrogate', '\ud800', '\\ud800'],
  ['tag character', '\u{e0041}', '\\udb40\\udc41'],
  ['variation selector', '\ufe0f', '\\ufe0f'],
  ['Hangul filler', '\u3164', '\\u3164'],
  ['no-break space', '\u00a0', '\\u00a0'],
  ['Braille blank', '\u2800', '\\u2800'],
  ['private use', '\ue000', '\\ue000'],
  ['noncharacter', '\uffff', '\\uffff'],
];

/** What was written out before: what JSON escapes, and in the terminal other controls. */
const jsonEscapes = ['escape', 'backspace', 'carriage return', 'line feed', 'NUL', 'lone surrogate'];
const writtenBefore: Readonly<Record<string, readonly string[]>> = {
  terminal: [...jsonEscapes, 'delete', 'C1 control'],
  gateway: jsonEscapes,
};

const written = (letter: string): string =>
  Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );

describe.each(places)('F28 in the %s', (place, show) => {
  it.each(
    hidden.map(
      ([name, character, shownAs]) =>
        [writtenBefore[place]?.includes(name) ? 'guard: ' : '', name, character, shownAs] as const,
    ),
  )('%sa %s is written out: in values, in keys, in lists', (_, __, character, shownAs) => {
    const shown = show('drop', { [`ke${character}y`]: `va${character}lue`, list: [{ deep: `x${character}` }] });
    for (const part of [`ke${shownAs}y`, `va${shownAs}lue`, `x${shownAs}`])
      expect(shown.replaceAll(/\n */g, '')).toContain(part);
    if (character !== '\n') expect(shown).not.toContain(character);
  });

  it('marks piled up on a letter are written out, those of ordinary text are not', () => {
    expect(show('drop', { a: `x${'\u0301'.repeat(9)}` })).toContain(`x${'\u0301'.repeat(5)}${'\\u0301'.repeat(4)}`);
    for (const word of ['e\u0302\u0301', 'บ้านที่นี่', 'שָׁלוֹם', 'བསྒྲུབས'])
      expect(show('drop', { word })).toContain(`"${word}"`);
  });

  it.each([
    ['p\u0430th', 'p\\u0430th'],
    ['https://p\u0430yp\u0430l.com/', 'p\\u0430yp\\u0430l.com'],
    ['\u0441url', '\\u0441url'],
    ['g\u03bf\u03bfgle.com', 'g\\u03bf\\u03bfgle.com'],
  ])('a letter that passes for another within a word is written out: %s', (text, shownAs) => {
    const shown = show('drop', { [text]: text });
    expect(shown.split(shownAs)).toHaveLength(3);
  });

  it.each([
    ['Greek', ['p\u03b1ypal', 'pa\u03b3pal', '\u03c4oken', 'e\u03c7ec'], '\u03b1\u03b3\u03c4\u03c7'],
    ['Cyrillic', ['dri\u0475e', 'to\u043aen', 'ge\u0442', 'r\u043c'], '\u0475\u043a\u0442\u043c'],
    ['Coptic', ['g\u2c9fogle'], '\u2c9f'],
    ['Lisu', ['\ua4d0OB'], '\ua4d0'],
    ['Deseret', ['\u{10404}ctober'], '\u{10404}'],
    ['fullwidth', ['r\uff4d', 'run \uff52\uff4d'], '\uff4d\uff52'],
    ['mathematical', ['p\u{1d41a}ypal', '\u{1d429}\u{1d41a}'], '\u{1d41a}\u{1d429}'],
    ['enclosed', ['p\u24d0ypal'], '\u24d0'],
    ['phonetic', ['p\u0251ypal'], '\u0251'],
    ['of a whole word', ['\u0441\u043e\u0440\u0443', 'run \u0441\u043e\u0440\u0443'], '\u0441\u043e\u0440\u0443'],
    ['of one letter', ['\u0445.com', 'my_\u0445', '\u0445'], '\u0445'],
    ['of a word beside both scripts', ['мы и copy \u0441\u0443'], '\u0441\u0443'],
  ])('letters that look like Latin ones are written out: %s', (_, texts, letters) => {
    for (const text of texts) {
      const shown = show('drop', { [`key ${text}`]: text, list: [text, `\n${text}`] });
      for (const letter of letters) expect(shown).not.toContain(letter);
      expect(shown).toContain(JSON.stringify(text).replace(new RegExp(`[${letters}]`, 'gu'), written));
    }
  });

  it.each([
    ['a slash', ['https://a.com\u2215b.com', 'a\u2044b', 'etc\u29f8passwd'], '\u2215\u2044\u29f8'],
    ['a colon', ['https\ua789//x', 'host\u2236 80'], '\ua789\u2236'],
    ['a bar or an exclamation mark', ['cat x\u01c0sh', 'run\u01c3'], '\u01c0\u01c3'],
    ['a hyphen in an address', ['https://my\u2010bank.com', 'rm x \u2212rf/a', 'a.b\u2011c.d'], '\u2010-\u2012\u2212'],
    ['small capitals', ['ad\u029fib'], '\u029f'],
  ])('signs that look like those of an address or a command are written out: %s', (_, texts, signs) => {
    for (const text of texts) {
      const shown = show('drop', { [`key ${text}`]: text });
      expect(shown).toContain(JSON.stringify(text).replace(new RegExp(`[${signs}]`, 'gu'), written));
    }
  });

  it.each([
    '1\u20442 and 3\u22361',
    '\u2212 5',
    'state\u2011of\u2011the\u2011art, well\u2010known.\nNext',
    'a\u2013b \u2014 c',
    'URL：x',
    'x \u2212 y, see a.b',
  ])('guard: signs of prose and of formulas stay: %j', (text) =>
    expect(show('drop', { text })).toContain(JSON.stringify(text)),
  );

  it.each([
    'привет, мир',
    'SQL-запрос и Python',
    'αβγ kΩ 5 μm ΔT λx',
    'Καλημέρα κόσμε',
    'Բարեւ',
    'Python с нуля, а потом у нас',
    'привет\nмир',
    'C:\\папка',
    'Pythonで書く',
    'ＡＰＩを書く',
    'שלום API',
    'naïve Straße',
    '5 ℓ Wasser',
    'ışık ŋ',
    'ΔΣ 10 μmol',
  ])('guard: words of one script, and signs of units, stay: %j', (text) =>
    expect(show('drop', { text })).toContain(JSON.stringify(text)),
  );

  it('blanks do not push what follows them out of sight', () => {
    for (const blank of [' ', '\n', '\t', '\r\n']) {
      const shown = show('drop', { cmd: `ls${blank.repeat(3000)}; rm -rf /${blank.repeat(3000)}# ok` });
      const length = 3000 * blank.length;
      expect(shown.replaceAll(/\n */g, ' ')).toContain(
        `"ls" …(${length} blanks)… "; rm -rf /" …(${length} blanks)… "# ok"`,
      );
    }
    for (const parts of [2, 18, 19, 20, 21, 40, 200]) {
      const cmd = `ls${' '.repeat(900)}${`x${' '.repeat(41)}`.repeat(parts)}; rm -rf /`;
      const shown = show('drop', { cmd }).replaceAll(/\n */g, ' ');
      expect(shown).toContain('"ls" …(900 blanks)… "x" …(41 blanks)…');
      expect(shown).toContain('"; rm -rf /"');
      expect(shown).not.toMatch(/ {6}/);
      expect(shown.length).toBeLessThan(2000);
    }
    expect(show('drop', { a: 'x" …(9 blanks)… "y' })).toContain('x\\" …(9 blanks)… \\"y');
  });

  it('a name that hides something is written out too', () => {
    expect(show('dr\u202eop\u001b[2K', {})).toContain('dr\\u202eop\\u001b[2K');
  });

  it('guard: text that only looks like an escape is told from one', () => {
    expect(show('drop', { a: '\\u202e' })).toContain('"\\\\u202e"');
  });

  it('every key is there, however long the values before it are', () => {
    const input = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`key_${at}`, 'x'.repeat(5000)]));
    const shown = show('drop', { ...input, target: 'production' });
    for (let at = 0; at < 300; at += 1) expect(shown).toContain(`"key_${at}":`);
    expect(shown).toContain('"target": "production"');
  });

  it('keys of nested objects are there too, at any depth', () => {
    let input: unknown = { deepest: 'rm -rf /' };
    for (let depth = 0; depth < 60; depth += 1)
      input = { [`level_${depth}`]: input, [`pad_${depth}`]: 'y'.repeat(3000) };
    const shown = show('drop', input).replaceAll(/\n */g, '');
    for (let depth = 0; depth < 60; depth += 1) expect(shown).toContain(`"level_${depth}":`);
    expect(shown).toContain('"deepest": "rm -rf /"');
  });

  it('a long value has its head, its tail and its length; what it holds can not forge them', () => {
    const shown = show('drop', { a: `begin ${'x '.repeat(5000)}; rm -rf ~` }).replaceAll(/\n */g, ' ');
    expect(shown).toContain('begin');
    expect(shown).toContain('; rm -rf ~"');
    expect(shown).toContain('(10016 characters)');
    expect(show('drop', { a: 'x" …(9 characters)… "y' })).toContain('x\\" …(9 characters)… \\"y');
  });

  it('a long key has them too', () => {
    expect(show('drop', { [`k${'e'.repeat(500)}y_end`]: 1 }).replaceAll(/\n */g, '')).toMatch(
      /\(506 characters\).*y_end": 1/s,
    );
  });

  it('a long list says how many items it has, and shows its ends', () => {
    const shown = show('drop', { to: Array.from({ length: 1000 }, (_, at) => `user_${at}`) });
    expect(shown).toContain('"user_0"');
    expect(shown).toContain('"user_999"');
    expect(shown.replaceAll(/\n */g, ' ')).toContain('(1000 items, 920 not shown)');
  });

  it('what it does comes first', () => {
    expect(show('drop', {}).replace(/^\? /, '').startsWith('DESTRUCTIVE')).toBe(true);
  });
});

describe('what a person edits', () => {
  it('shows hidden characters as escapes and reads back as the same value', () => {
    for (const [, character] of hidden) {
      const value = { [`k${character}`]: [`v${character}`, { deep: character }] };
      expect(JSON.parse(visibleJson(value))).toEqual(value);
      expect(JSON.parse(visibleLines(value))).toEqual(value);
      if (character !== '\n') expect(visibleLines(value)).not.toContain(character);
    }
  });

  it('ordinary text in any script stays as it is', () => {
    for (const text of [
      'Grüße, 日本語　テスト',
      'مرحبا بالعالم',
      'שלום',
      'नमस्ते',
      'emoji 🙂🎉',
      'a\\b "c"',
      '한국어',
      'ไทย',
    ])
      expect(shownArguments({ text })).toContain(JSON.stringify(text));
  });

  it('the problems of an edit stand below the arguments', () => {
    const problems = [{ path: ['a'], code: 'type', message: "Field 'a\u202e' expected number, got string" }] as const;
    const lines = approvalLines({ tool: destroys, name: 'drop', input: {}, reason: 'r', rule: 'drop', problems }, page);
    expect(lines).toContain("! Field 'a\\u202e' expected number, got string");
  });

  it('the prompt of a tool that destroys says so again', () => {
    const asked = { tool: destroys, name: 'drop', input: {}, reason: 'r', rule: 'dr\u202eop' };
    expect(approvalPrompt(asked, page)).toMatch(/^ {2}DESTRUCTIVE y once · a always \(dr\\u202eop\)/);
  });

  it('the work is bounded by what is there', () => {
    const inputOf = (length: number): object =>
      Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, 'x'.repeat(100)]));
    const [small, large] = [inputOf(5000), inputOf(20_000)];
    expect(shownArguments(large).split('\n')).toHaveLength(20_002);
    const growth = growthOf(
      () => shownArguments(small),
      () => shownArguments(large),
      { bar: 10 },
    );
    expect(growth.ratio).toBeLessThan(10);
  });
});
