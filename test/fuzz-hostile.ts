/** Texts made to be slow or to overflow something, each by its length. */
const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const inObject =
  (piece: string, end = '"}') =>
  (length: number): string =>
    `{"a": "${filled(piece, length)}${end}`;

/** Name and maker; a maker gives a text of about the length asked for. */
export const hostileShapes: Readonly<Record<string, (length: number) => string>> = {
  'opening brackets': (length) => filled('[', length),
  'opening braces': (length) => filled('{', length),
  'closing brackets': (length) => filled(']', length),
  'brackets, opened and closed': (length) => filled('[', length / 2) + filled(']', length / 2),
  'keys without end': (length) => filled('{"a":', length),
  'quotes alone': (length) => filled('"', length),
  'stray quotes in a string': inObject('a" '),
  'quotes and commas in a string': inObject('a", '),
  'quotes and colons in a string': inObject('a": "'),
  'quotes and braces in a string': inObject('"} '),
  'quotes and brackets in a list': (length) => `["${filled('"] ', length)}"]`,
  'items without commas': (length) => `["${filled('a" "', length)}"]`,
  'single quotes': (length) => filled("'", length),
  apostrophes: (length) => `{'a': '${filled("it's ", length)}'}`,
  'backticks and quotes': (length) => `{\`a\`: \`${filled('`"', length)}\`}`,
  'smart quotes': (length) => `{“a”: “${filled('“”', length)}”}`,
  backslashes: inObject('\\'),
  'backslashes and quotes': inObject('\\"'),
  'invalid escapes': inObject('\\d\\q '),
  'cut unicode escapes': inObject('\\u12'),
  'comments never closed': (length) => filled('/* ', length),
  'comments in an object': (length) => `{${filled('/* x */ // y\n', length)}"a": 1}`,
  'line comments': (length) => `{"a": 1, ${filled('// ', length)}`,
  'hash comments': (length) => `{"a": "x" ${filled('# "x"\n', length)}}`,
  fences: (length) => filled('```json\n', length),
  'fences and braces': (length) => filled('```\n{\n', length),
  'think blocks': (length) => filled('<think>', length),
  'think blocks with braces': (length) => filled('<think>{"a":1}', length),
  'special tokens': (length) => filled('<|im_end|>', length),
  'halves of tokens': (length) => filled('<|', length),
  'a huge number': (length) => `{"a": ${filled('9', length)}}`,
  'a huge fraction': (length) => `{"a": 0.${filled('1234567890', length)}}`,
  'signs and dots': (length) => `{"a": ${filled('-.+e', length)}}`,
  'lines of key=value': (length) => filled('key=value\n', length),
  'lines of key: value': (length) => filled('key: value\n', length),
  'colons alone': (length) => filled(':', length),
  'commas alone': (length) => `[${filled(',', length)}]`,
  'empty objects': (length) => filled('{}', length),
  'the same object again and again': (length) => filled('{"a": "b"}\n', length),
  'different objects': (length) => Array.from({ length: length / 10 }, (_, at) => `{"a": ${at}}`).join('\n'),
  'braces in prose': (length) => filled('see {this} and [that] ', length),
  'an object after much prose': (length) => `${filled('some words (here) ', length)}{"a": 1}`,
  'early closers': (length) => `{"a": 1${filled('}, "b": 2', length)}}`,
  'closers too many': (length) => `{"a": 1}${filled('}', length)}`,
  'many keys': (length) => `{${Array.from({ length: length / 10 }, (_, at) => `"k${at}": 1`).join(', ')}}`,
  'many equal keys': (length) => `{${filled('"a": 1, ', length)}"a": 1}`,
  'bare keys': (length) => `{${filled('a: b, ', length)}}`,
  'bare words': (length) => `{"a": ${filled('word ', length)}}`,
  'missing commas': (length) => `{${Array.from({ length: length / 10 }, (_, at) => `"k${at}": 1`).join(' ')}}`,
  'open strings': (length) => filled('{"a": "b', length),
  'raw line breaks': inObject('\n\t\r\n'),
  'control characters': inObject('\u0000\u0001'),
  'lone surrogates': inObject('\ud800'),
  'zero-width characters': (length) => `{${filled('\u200b\ufeff', length)}"a": 1}`,
  'terminal colours': (length) => `{${filled('\u001b[31m', length)}"a": 1}`,
  'encoded again and again': (length) => {
    let text = '{"a": 1}';
    while (text.length * 2 < length) text = JSON.stringify(text);
    return text;
  },
  tuples: (length) => filled('(', length),
  'XML never closed': (length) => `{"a": "${filled('<item>', length)}"}`,
  'XML, opened and closed': (length) => `{"a": "${filled('<i>', length / 2)}${filled('</i>', length / 2)}"}`,
  'a good long string': inObject('plain text, all well. '),
  'a good long list': (length) => `{"a": [${filled('"item", ', length)}"end"]}`,
};
