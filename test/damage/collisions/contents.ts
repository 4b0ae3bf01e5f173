/** What real arguments hold, by kind: families of values that are a backslash, a quote or a comma apart. */
import type { Random } from '../random.ts';

const words = ['alpha', 'invoice', 'draft', 'berlin', 'user_name', 'max_len', 'report', 'token', 'cache'];
const people = ["O'Brien", 'Ada Lovelace', 'José Núñez', '王小明', 'Müller', "D'Angelo"];
const numbers = ['0', '3', '12', '42', '404', '1999'];

/** Slots of a content: `{w}` a word, `{p}` a person, `{n}` a number. */
const filled = (random: Random, text: string): string =>
  text.replace(/\{([wpn])\}/g, (_, kind: string) =>
    random.pick(kind === 'w' ? words : kind === 'p' ? people : numbers),
  );

const raw = String.raw;

/**
 * Each row is a family: values a model may mean, near enough to each other that one mistake may make one look like another.
 * A family of one is a value whose neighbours are made by the mistakes themselves.
 */
export const families = {
  code: [
    ['print("{w}")', raw`print("say \"{w}\"")`, "print('{w}')"],
    [raw`print('it\'s {w}')`, "print('its {w}')", `print("it's {w}")`],
    ['def f(x):\n    return x + {n}\n', raw`print("{w}\n{n}")`],
    ["re.match('\\d+', s)\nprint(s)", raw`re.match('\d+\n', s)`, raw`re.match(r"\d+", s)`],
    [raw`printf("%d\n", {w});`, 'printf("%d", {w});\n', raw`printf("%s\t%d\n", {w}, {n});`],
    [raw`console.log("{w}\n" + name);`, 'console.log("{w}" + name);', 'console.log("{w}", "name");'],
    ['const s = "a" + "b";', 'const s = "ab";', "const s = 'a' + 'b';"],
    ['let x = `$' + '{{w}} and $' + '{y}`;', 'let x = "{w}";'],
    ['if (a && b) {\n\treturn "{w}"; // keep\n}', 'if (a && b) {\n\treturn "{w}";\n}'],
    ['x = {n}  # the {w}\ny = 2', 'x = {n}\ny = 2'],
    [
      "# see the {w}s'\n# and {w}",
      "# see the {w}s'\n# of `{w}'",
      'x = "{w}"\n# was "{n}"',
      '// set "{w}"\n// or "{n}"',
    ],
    ['func main() {\n\tfmt.Println("{w}", {n})\n}\n', raw`func main() { fmt.Println("{w}\n") }`],
    ['#include <stdio.h>\nint main(void) { puts("{w}"); }', '#define {w} "x"'],
    [raw`String p = "C:\\{w}\\new";`, raw`String p = "C:/{w}/new";`],
    ['let a = { b: 1, "c": [2, 3] };', "let a = { b: 1, 'c': [2, 3] };"],
    [raw`s.replace(/\//g, "\\")`, raw`s.replace(/\./g, "_")`, raw`s.split(/\s+/)`],
    ['assert f("a", "b") == {"c": "d"}', 'assert f("a") == "b"'],
    [raw`echo "<a href=\"{w}\">";`, `echo '<a href="{w}">';`],
    ['puts "#{name}: {w}"', "puts '{w}'"],
    ['type A = "x" | "y";', "type A = 'x' | 'y';"],
    ['return f"{x!r}: {y}"', 'return "x: y"'],
    ['const {w} = [', 'const {w} = []', '{ {w}: [', 'f({ {w}: [{n}'],
  ],
  shell: [
    ['echo "$HOME"', raw`echo "\$HOME"`, "echo '$HOME'"],
    [raw`echo "She said \"{w}\" today"`, 'echo "She said {w} today"'],
    ["grep -rn '{w}' src/ | wc -l", 'grep -rn "{w}" src/ | wc -l', raw`grep -rn "\"{w}\"" src/`],
    ['docker run \\\n  -p 80:80 \\\n  {w}', 'docker run -p 80:80 {w}'],
    ['echo {w} \\\n{n}', 'echo {w}\\\n{n}', 'echo {w} {n}'],
    [`curl -d '{"path": "{w}"}' localhost`, raw`curl -d "{\"path\": \"{w}\"}" localhost`],
    [raw`sed -i 's/\./_/g' {w}.txt`, "sed -i 's/a/b/g' {w}.txt"],
    [raw`find . -name "*.ts" -exec rm {} \;`, 'find . -name "*.ts"'],
    ["awk -F',' '{print $1, $2}' {w}.csv", raw`awk -F'\t' '{print $1}' {w}.tsv`],
    ['for f in *.md; do echo "$f"; done', 'ls *.md'],
    [raw`printf '%s\n' "{w}"`, raw`printf "\e[31m{w}\e[0m\n"`, raw`echo -e "\x1b[1m{w}\x1b[0m"`],
    ['git commit -m "fix: {w}" # wip', 'git commit -m "fix: {w}"', 'git commit -m "fix #{n}"'],
    ['rm -rf build // cleanup', 'rm -rf build'],
    ['"rm" "-rf" "/tmp/{w}"', '"C:/Program Files/Git/bin/git.exe" "status"', 'git status'],
    [raw`cd src\test`, raw`type docs\notes.txt`, 'cd src/test'],
    ['export A="x" B="y"', "export A='x'"],
    ['ssh {w}@host "ls -la && cat \'a b.txt\'"', 'ssh {w}@host'],
    ['ls {w} -la', 'cd /tmp/{w}', 'npm test'],
    ['echo $((1 + 2))', 'echo $(date +%s)', 'echo `date`'],
  ],
  regex: [
    [raw`^\d{3}-\d{4}$`, raw`\d+\n`, raw`\d+`],
    [raw`\bword\b\s+\w`, raw`\bword\b`, 'word'],
    [raw`^\s*#.*$`, raw`^\s*//.*$`, raw`^//.*$`],
    [raw`[A-Z]+\s*=\s*"[^"]*"`, '[A-Z]+ = "[^"]*"', raw`"[^"\\]*"`],
    [raw`(foo|bar)\.(js|ts)$`, raw`\.test\.ts$`, raw`src/.*\.ts`],
    [raw`\bfoo\b`, raw`[^\n]+`, raw`(\r?\n)+`, raw`\d+$`],
    [raw`\w+\t\w+`, raw`\w+,\w+`, raw`\/\*.*\*\/`],
    [raw`\\server\\.*`, raw`\\d`, raw`\$\{.*\}`],
    [raw`\u00e9|\u00e8`, raw`caf\xe9`, raw`\p{L}+`],
    [raw`\_\w+`, raw`\(.*\)`, raw`\[\d+\]`],
    [raw`https?:\/\/[^\s"]+`, raw`https?://\S+`],
  ],
  path: [
    [raw`C:\Users\new\table.txt`, raw`C:\Users\Ada`, 'C:/Users/new'],
    [raw`C:\temp\notes.txt`, raw`D:\repo\data`, raw`D:\utility\run`],
    [raw`\\server\share\file`, raw`\server\share\file`, '//server/share/file'],
    [raw`C:\build`, raw`D:\Archive\old`, raw`\\server\temp`, raw`src\new`],
    [raw`..\..\bin\x.exe`, '../../bin/x', raw`.\build\{w}`],
    ['/usr/local/bin/{w}', './src/{w}.ts', 'src/{w}/index.ts', '~/notes/{w}.md'],
    ['docs/read me (final).md', 'docs/a, b.md', 'docs/#{n}.md', 'src//{w}.ts'],
    [raw`C:\Program Files\{w}`, raw`C:\Program Files (x86)\{w}\bin`],
    ['/tmp/ünïcode/日本.txt', '/tmp/{w} # old.txt', '/data/{n}/{n}'],
    [raw`C:\users\x\u0041.txt`, raw`C:\unit\{w}`],
  ],
  latex: [
    [raw`\frac{a}{b} + \sqrt{{n}}`, raw`\alpha + \beta`, raw`x^2`],
    [raw`\textbf{{w}} and \textit{x}`, raw`\begin{itemize}\item {w}\end{itemize}`],
    [raw`50\% of user\_name`, raw`50\% of it`, raw`the \& sign`],
    [raw`\section{{w}}`, raw`\textbf{{w}}`, raw`\alpha`, raw`\frac{1}{2}`],
    [raw`\nabla \times \theta`, raw`\rho = \frac{m}{V}`],
    [raw`$\sum_{i=1}^{n} x_i$`, raw`\[ E = mc^2 \]`],
  ],
  sql: [
    ["SELECT * FROM users WHERE name = '{w}'", 'SELECT * FROM "users" WHERE id = {n}', 'SELECT 1'],
    ["SELECT 'O''Brien' AS n; -- done", "SELECT 'x' AS n -- {w}", 'DELETE FROM t WHERE id = {n}'],
    [raw`SELECT * FROM t WHERE a LIKE '%\_{w}'`, "SELECT a, b FROM t WHERE c IN ('x', 'y')"],
    ['INSERT INTO t (a, b) VALUES ("x", "y")', 'INSERT INTO t VALUES (\'{"a": 1}\')'],
  ],
  html: [
    ['<a href="{w}.html" class="big">{w}</a>', "<a href='{w}.html'>{w}</a>"],
    ['<Button onClick={() => go("{w}")} />', "<Button label='{w}' />", '<p>It\'s "{w}", ok?</p>'],
    ['<input type="text" value="">', '<br>\n<hr/>', '<p>a &amp; b &quot;c&quot;</p>'],
    ['<!-- {w} --><div id="x"></div>', '<div id="x"></div>'],
    ['<script>let s = "</" + "script>";</script>', '<style>a { color: #fff; }</style>'],
  ],
  json: [
    ['{"a": 1, "b": [true, null]}', "{'a': 1}", '{"a": "b"}'],
    ['{"name": "{w}", "path": "x"}', raw`{"name": "say \"{w}\""}`, '{name: {w}}'],
    ['[1, 2, 3]', '["x", "y"]', '[]', '{}'],
    [raw`{"re": "\\d+"}`, raw`{"p": "C:\\new"}`, raw`{"t": "a\nb"}`],
    ['{\n  "scripts": {\n    "test": "vitest"\n  }\n}\n', '{"scripts":{"test":"vitest"}}'],
  ],
  yaml: [
    ['name: {w}\non: [push]\n', 'name: "{w}"\non:\n  - push\n', 'name: {w}'],
    ['a: 1 # {w}\nb: "x: y"', 'a: 1\nb: x', 'key=value\nother=1'],
  ],
  diff: [
    ['- "a": 1,\n+ "a": 2,\n', '-old\n+new\n', '@@ -1,2 +1,2 @@\n-x = "a"\n+x = "b"\n'],
    ['- foo\n- bar\n', '* foo\n* bar', '1. foo\n2. bar'],
  ],
  csv: [
    ['id,name\n1,"{p}"\n2,x', 'a,b,c', 'a;b;c', 'a\tb\tc'],
    ['"a","b"\n"c","d"', 'a | b', 'x, y'],
  ],
  prose: [
    ['She said "{w}" and left.', 'She said {w} and left.', 'She said “{w}” and left.'],
    ["Don't forget: {p}'s budget isn't final.", 'Do not forget the budget.', 'Forget it'],
    ['"Quoted from start to end"', "'Single quoted'", '“Curly”', 'Not quoted'],
    ['Use "a", "b" or "c"', 'Use a, b or c', 'Use "a"'],
    ['He said "yes", "no": "maybe"', 'keys are "a": 1 and "b": 2', 'ends with "quote"', '"starts" with one'],
    ['buy milk\ncall {p}\n', 'Dear {p},\n\nthe list:\n- one\n- two', 'line1\nline2'],
    ['First line.\nSecond, with a comma.', 'First line. Second.'],
    ['see issue #{n}', 'see issue', '#{n}', '# Title\n\ntext', '// note'],
    ['Price: $12.50 & 8% (approx)', 'a: b', 'note: done, {w}', 'key: "value"'],
    ['black and white', 'salt & pepper', 'one; two', 'this / that', 'yes'],
    ['Überprüfe die Größe — danke!', '今日は、元気ですか', 'Ça va ?', 'naïve café', 'Привет, мир'],
    ['👍🏽 done', '✅', '…', '—'],
    ['a 27" screen', '5\' 10"', '3.5" floppy and a 27" screen'],
    ['monitor 27"\n', 'monitor 27" ', 'monitor 27', 'monitor 27"\n\n'],
    ['Call read_file({"path": "x"}) now', 'Use {"a": 1} here', 'see {name} and [1]'],
    ['It costs 5 } or { so', 'a ] b [ c', 'f(x) = {x}'],
    ['line one\n\n"quoted", he said.\n', "it's 'fine'\nok", 'tab\there'],
  ],
  id: [
    ['007', '7', '0007', '7.0'],
    ['1.10', '1.1', '1.0', '1', '2.0.0', 'v1.10'],
    ['+49 30 1234567', '0301234567', '030-1234567', '+15550100'],
    ['90210', '01234', '00501', '1e5', '12e3', '0x1F'],
    ['2024-01-05', '2024-1-5', '01/02/2024', '12:30', '10:00'],
    ['true', 'yes', 'null', 'None', 'NaN', 'N/A', '-', 'no'],
    ['0.0000005', '0.00000050', '0.0000001234', '5e-7', '0.000001'],
    ['9007199254740993', '12345678901234567890', '-0', '1,234'],
    ['abc-123', 'a_b', 'user:42', 'x@y.z', '#fff', '$x', '%d', '@home', '*', '?', '^1.2.3', '>=2', '~1.0'],
  ],
  email: [
    ['ada@example.com', "o'neil@example.org", '"Ada" <ada@example.com>', 'Ada <ada@example.com>'],
    ['Hi {p},\n\nthanks for "{w}".\n\nBest,\nMe', 'Hi {p}, thanks.'],
  ],
  url: [
    ['https://example.com/a?b=1&c=%20#top', 'https://example.com//a', 'http://localhost:8080/{id}', 'example.com'],
    ['ftp://user:pass@host/f_n.tar.gz', 'https://example.org/wiki/JSON_(format)', 'mailto:a@b.c'],
  ],
  word: [
    ['{w}', '{w}s', 'New York', 'Rio de Janeiro'],
    ['main', 'Main', 'a', 'utf-8', 'utf8'],
  ],
} satisfies Record<string, readonly (readonly string[])[]>;

export type Content = keyof typeof families;

export const contents = Object.keys(families) as Content[];

/** The members of one family, the slots filled alike. */
export const familyOf = (random: Random, ...kinds: readonly Content[]): string[] => {
  const kind = random.pick(kinds.length > 0 ? kinds : contents);
  const rows: readonly (readonly string[])[] = families[kind];
  const row = random.pick(rows);
  // One choice for each slot, so that the members stay neighbours.
  const fill = random.int(2 ** 31);
  const members = row.map((text) => filled(slotsFrom(fill), text));
  if (kind === 'id' || kind === 'word' || kind === 'path' || !random.chance(0.2)) return members;
  // Longer values hold several kinds at once: a letter with a command in it, code with a path.
  const more = filled(slotsFrom(fill), random.pick(families[random.pick(contents)].flat()));
  const joint = random.pick(['\n', ' ', '\n\n', ': ']);
  const first = random.chance(0.5);
  return members.map((text) => (first ? more + joint + text : text + joint + more));
};

/** A stream of choices that gives every member the same ones. */
const slotsFrom = (seed: number): Random => {
  const pick = <T>(list: readonly T[]): T => list[seed % list.length] as T;
  return {
    next: () => 0,
    int: (below) => seed % below,
    between: (low) => low,
    chance: () => false,
    pick,
    some: () => [],
  };
};

/** One content. */
export const contentOf = (random: Random, ...kinds: readonly Content[]): string =>
  random.pick(familyOf(random, ...kinds));
