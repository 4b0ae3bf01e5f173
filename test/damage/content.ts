/** What real calls hold: the texts that make readers stumble, by kind. */
import type { Random } from './random.ts';

const pools = {
  prose: [
    'Summarise the quarterly report, then list three risks.',
    "Don't forget: the client's budget isn't final yet.",
    'Please reply by Friday; see section 4 (b) for the terms.',
    'Überprüfe die Größe — danke! Ça va? 今日は',
    'Shipping is $12.50 & tax is 8% (approx).',
    'First line.\nSecond line, with a comma.\n\nA paragraph: the last.',
  ],
  quoted: [
    'She said "not today" and left.',
    "The so-called 'expert' wrote \"it's done\".",
    '"Quoted from start to end"',
    'Use "a", "b" or "c"',
    'A 3.5" floppy and a 27" screen',
    '“Smart” and ‘curly’ quotes',
  ],
  code: [
    'function add(a, b) {\n  return a + b; // sum\n}\n',
    'def greet(name):\n\tprint(f"Hello, {name}!")\n\nif __name__ == "__main__":\n\tgreet(\'you\')\n',
    'const re = /^\\d{3}-\\w+$/;\nif (re.test(s)) { console.log("ok\\n"); }',
    "SELECT * FROM users WHERE name = 'O''Brien' AND age >= 21; -- done",
    'for i in {1..3}; do echo "$i" | tee -a out.log; done',
    '# comment\nkey = "value"\nlist = [1, 2, 3]\n',
    '<div class="main" id=\'x\'>Tom &amp; Jerry</div>',
    '```js\nconst a = { b: 1 };\n```',
    `let s = \`template \${value}\`;`,
  ],
  json: [
    '{"a": 1, "b": [true, null]}',
    '[1, 2, 3]',
    '{"nested": {"quote": "say \\"hi\\""}}',
    '["x", "y"]',
    '{}',
    '[]',
    '"text"',
    '{"cut": "off',
  ],
  looksTyped: ['null', 'None', 'true', 'False', '5', '007', '1e3', '-0', 'NaN', '12 years', '0x10', 'undefined'],
  path: [
    '/usr/local/bin/run.sh',
    './src/index.ts',
    'C:\\Users\\new\\table.txt',
    '..\\..\\bin\\x.exe',
    '\\\\server\\share\\file',
    'docs/read me (final).md',
    '/tmp/ünïcode/日本.txt',
    'src/app_main.py',
  ],
  url: [
    'https://example.com/a?b=1&c=%20#top',
    'http://localhost:8080/path/{id}',
    'ftp://user:pass@host/file_name.tar.gz',
    'https://example.org/wiki/JSON_(format)',
  ],
  regex: ['^\\d{3}-\\d{4}$', '\\bword\\b', '[A-Z]+\\s*=\\s*"[^"]*"', '(foo|bar)\\.(js|ts)$', '.*'],
  emoji: ['👍🏽 done', '👨‍👩‍👧 family', '🇩🇪', 'naïve café ☕', '\u200bzero\u200bwidth', 'e\u0301'],
  odd: [
    '',
    ' ',
    '  padded  ',
    '\t',
    'a\u0000b',
    '\\',
    '"',
    "'",
    'say "\\"',
    '{',
    ']',
    ',',
    ':',
    '//',
    '/* */',
    '<think>',
    '<|im_end|>',
  ],
  word: ['alpha', 'berlin', 'invoice', 'urgent', 'Paris', 'backend', 'report', 'draft', 'sunset', 'Kiwi'],
  phrase: ['New York', 'Rio de Janeiro', 'blue whale', 'monthly sales report', 'Ada Lovelace'],
} satisfies Record<string, readonly string[]>;

export type ContentKind = keyof typeof pools;

const freeKinds = Object.keys(pools) as ContentKind[];

/** Any text a model may put into a free string field. */
export const anyText = (random: Random): string => {
  const text = random.pick(pools[random.pick(freeKinds)]);
  return random.chance(0.1) ? `${text}\n${random.pick(pools[random.pick(freeKinds)])}` : text;
};

/** A text of one kind. */
export const textOf = (random: Random, ...kinds: readonly ContentKind[]): string =>
  random.pick(pools[random.pick(kinds)]);

/** Every text, for checks that want them all. */
export const allTexts: readonly string[] = freeKinds.flatMap((kind) => pools[kind]);

/** Numbers big, small, negative and fractional, all safe to read exactly. */
export const anyNumber = (random: Random): number =>
  random.pick([
    0,
    1,
    -1,
    random.between(-1000, 1000),
    random.between(-9_000_000, 9_000_000) / 100,
    0.1,
    -0.5,
    6.02e23,
    5e-7,
    Math.PI,
    Number.MAX_SAFE_INTEGER,
  ]);

/** Whole numbers within bounds. */
export const anyInteger = (random: Random, low = -100_000, high = 100_000): number =>
  random.chance(0.2) ? random.pick([low, high, Math.max(low, 0)]) : random.between(low, high);
