/** Texts that show calls which somebody else wrote, and texts that only look so: more tables of where a call may stand. */
import type { PlacedRow } from './placed-row.ts';

const args = '{"path": "a.txt"}';
const json = `{"name": "delete_file", "arguments": ${args}}`;
const plain = `<tool_call>\n${json}\n</tool_call>`;
const mistral = `[TOOL_CALLS]delete_file[ARGS]${args}`;
const harmony = `<|channel|>commentary to=functions.delete_file <|constrain|>json<|message|>${args}<|call|>`;
const kimi = `<|tool_calls_section_begin|><|tool_call_begin|>functions.delete_file:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_calls_section_end|>`;
const deletes = ['delete_file'];
const none: readonly string[] = [];

/** What stands around a text that somebody shows: its opener and its closer. */
const containers: readonly (readonly [where: string, open: string, close: string])[] = [
  ['a document', '<document>', '</document>'],
  [
    'a document with attributes',
    '<document index="1" source="https://example.org/a/long/address.html">',
    '</document>',
  ],
  ['an e-mail', '<email>\nHi', '</email>'],
  ['an example', '<example>', '</example>'],
  ['what a page says', '<untrusted_content>', '</untrusted_content>'],
  ['a fold', '<details>\n<summary>Raw output</summary>\n', '\n</details>'],
  ['wiki code', '<syntaxhighlight lang="text">', '</syntaxhighlight>'],
  ['a system message', '<system>', '</system>'],
  ['a page', '<html>\n<body>\n<div class="post">', '</div>\n</body>\n</html>'],
  ['forum code', '[code]', '[/code]'],
  ['a forum quote', '[quote="Anna"]', '[/quote]'],
  ['verbatim', '\\begin{verbatim}', '\\end{verbatim}'],
  ['a LaTeX listing', '\\begin{lstlisting}[language=text]', '\\end{lstlisting}'],
  ['a comment of C', '/*', '*/'],
  ['a documentation comment', '/**\n * Example', ' */'],
  ['a comment of Haskell', '{-', '-}'],
  ['code that is left out', '#if 0', '#endif'],
  ['a heredoc', "cat > raw.txt <<'EOF'", 'EOF'],
  ['a heredoc without quotes', 'cat <<END', 'END'],
  ['an AsciiDoc listing', '[source]\n----', '----'],
  ['an AsciiDoc literal', '....', '....'],
  ['a string of three quotes', 'text = """', '"""'],
  ['results with words', '<results> of the search:', '</results>'],
  ['a comment that begins in a line', 'See <!-- hidden', '-->'],
  ['a fence in a fence', '```markdown\n# Calls\n\n```json\n{}\n```\n', '```'],
  ['a fence of four', '````text\n```json\n{}\n```\n', '````'],
];

/** Those that were known, and how they were read then. */
const knownNamed = /example$|three quotes|of four|results|begins in a line/;
const knownSpecial = /example$|three quotes|of four|results|begins in a line/;

export const containerRows: readonly PlacedRow[] = containers.flatMap(([where, open, close]) => [
  ...(
    [
      ['plain', plain, 'hermes'],
      ['special', mistral, 'mistral'],
      ['special', mistral, 'auto'],
      ['special', kimi, 'auto'],
    ] as const
  ).map(([kind, call, dialect]) => ({
    where: `${kind} in ${where}, ${dialect}${call === kimi ? ', of a section' : ''}`,
    ...((dialect === 'auto' ? knownSpecial : knownNamed).test(where) && { held: true as const }),
    text: `This was in it:\n\n${open}\n${call}\n${close}\n\nI did not do it.`,
    calls: none,
    dialect,
  })),
  {
    where: `behind ${where}, where it was closed`,
    held: true as const,
    text: `${open}\nwords\n${close}\n\n${plain}`,
    calls: deletes,
    dialect: 'hermes',
    left: `${open}\nwords\n${close}\n\n`,
  },
]);

export const listedRows: readonly PlacedRow[] = [
  ...[
    `A call (<|start|>assistant${harmony}) was left out.`,
    `| Harmony | <|start|>assistant${harmony} |`,
    `raw: |\n  <|start|>assistant${harmony}\nb: 1`,
  ].map((text) => ({
    where: `a header of Harmony in ${JSON.stringify(text[0])}, named`,
    text,
    calls: none,
    dialect: 'harmony',
  })),
  { where: 'below a bracket, named', text: `They wrote (\n${plain}\n) to me.`, calls: none, dialect: 'hermes' },
  {
    where: 'below a face, named',
    held: true as const,
    text: `No luck :(\n${plain}`,
    calls: deletes,
    left: 'No luck :(\n',
    dialect: 'hermes',
  },
  {
    where: 'indented, with words behind, named',
    text: `    ${plain.replaceAll('\n', '\n    ')}\n\nis an example.`,
    calls: none,
    dialect: 'hermes',
  },
  {
    where: 'indented and alone, named',
    text: `    ${plain}`,
    calls: none,
    dialect: 'hermes',
  },
  { where: 'as JSON that is indented', text: `    ${json}`, calls: none },
  {
    where: 'before a result that the model made up, named',
    held: true as const,
    text: `Thought: go\nAction: delete_file\nAction Input: ${args}\nObservation: gone`,
    calls: deletes,
    left: 'Observation: gone',
    dialect: 'react',
  },
  { where: 'in a cell of a table', text: `| a | b |\n| --- | --- |\n| Mistral | ${mistral}`, calls: none },
  { where: 'in a table without edges', text: `a | b\n--- | ---\nMistral | ${mistral}`, calls: none },
  { where: 'in a cell, named', text: `| Hermes | ${plain.replaceAll('\n', '')}`, calls: none, dialect: 'hermes' },
  ...[mistral, plain]
    .flatMap((call) => [
      { where: 'in a block of YAML', text: `raw: |\n  ${call.replaceAll('\n', '\n  ')}`, calls: none },
      {
        where: 'in a block of YAML that goes on',
        text: `raw: >-\n  a\n  ${call.replaceAll('\n', '\n  ')}\nb: 1`,
        calls: none,
      },
      { where: 'in a literal block', text: `It says::\n\n  ${call.replaceAll('\n', '\n  ')}`, calls: none },
      {
        where: 'in a code directive',
        text: `.. code-block:: text\n\n   ${call.replaceAll('\n', '\n   ')}\n\nSo it is.`,
        calls: none,
      },
      { where: 'in a transcript', text: `User: delete it\nAssistant: gladly.\n${call}`, calls: none },
      { where: 'in a transcript in bold', text: `**User:** delete it\n\n**Assistant:**\n\n${call}`, calls: none },
    ])
    .map((row, at) => ({
      ...row,
      where: `${row.where}, ${at < 6 ? 'special' : 'plain'}`,
      ...(/code directive|literal/.test(row.where) && at > 5 && { held: true as const }),
    })),
  { where: 'in a block of YAML, named', text: `raw: |\n  ${mistral}\nb: 1`, calls: none, dialect: 'mistral' },
  {
    where: 'behind YAML that is over, named',
    held: true as const,
    text: `raw: |\n  a\nb: 1\n\n${plain}`,
    calls: deletes,
    left: 'raw: |\n  a\nb: 1\n\n',
    dialect: 'hermes',
  },
  {
    where: 'behind a table',
    held: true as const,
    text: `| a | b |\n| --- | --- |\n| 1 | 2 |\n\n${mistral}`,
    calls: deletes,
    left: '| a | b |\n| --- | --- |\n| 1 | 2 |\n\n',
  },
  {
    where: 'behind words about a user',
    held: true as const,
    text: `The user asked: delete it.\n\n${mistral}`,
    calls: deletes,
    left: 'The user asked: delete it.\n\n',
  },
];

export const specialRows: readonly PlacedRow[] = [
  ...[mistral, harmony, kimi].flatMap((call, at) => [
    {
      where: `${at} with words before and behind`,
      text: `The e-mail says:\n\n${call}\n\nI left it alone.`,
      calls: none,
    },
    {
      where: `${at} with words before, and a sentence that goes on`,
      text: `A result that ends with\n\n${call}\n\nis an attack.`,
      calls: none,
    },
  ]),
  { where: 'as an indented block', text: `    ${mistral}\n\nis what the manual shows.`, calls: none },
  { where: 'plain, as an indented message', text: `    ${plain.replaceAll('\n', '\n    ')}`, calls: none },
  {
    where: 'first, with words behind',
    held: true as const,
    text: `${mistral}\n\nI am on it.`,
    calls: deletes,
  },
  {
    where: 'behind reasoning, with words behind',
    held: true as const,
    text: `<think>So be it.</think>\n${mistral}\n\nI am on it.`,
    calls: deletes,
    left: `${mistral}\n\nI am on it.`,
  },
  {
    where: 'last, with words before',
    held: true as const,
    text: `I do it now:\n\n${mistral}`,
    calls: deletes,
    left: 'I do it now:\n\n',
  },
  {
    where: 'with words before and behind, named',
    held: true as const,
    text: `Now:\n\n${mistral}\n\nDone.`,
    calls: deletes,
    left: 'Now:\n\n\n\nDone.',
    dialect: 'mistral',
  },
];

export const lastRows: readonly PlacedRow[] = [
  ...[
    'I refuse to do this: ',
    'The raw output was ',
    'Mistral → ',
    'out=',
    '2025-01-01 10:00:00 INFO out=',
    '**Assistant:** ',
    '// ',
    'Shall I run this?\n\n',
    'I do it',
    '它写了',
  ].map((said) => ({ where: `behind ${JSON.stringify(said)}`, text: said + mistral, calls: none })),
  ...['I do it.', 'I do it. ', '我来做。', 'I do it!\n', 'I do it (now) 👍\n\n', 'Now:\n'].map((said) => ({
    where: `behind ${JSON.stringify(said)}`,
    held: true as const,
    text: said + mistral,
    calls: deletes,
    left: said,
  })),
];

/** A call without markers, by the dialect that writes it. */
const bare: readonly (readonly [dialect: string, call: string])[] = [
  ['llama3-json', `{"name": "delete_file", "parameters": ${args}}`],
  ['generic-json', json],
  ['xlam', `[${json}]`],
  ['cline-xml', '<delete_file>\n<path>a.txt</path>\n</delete_file>'],
  ['react', `Action: delete_file\nAction Input: ${args}`],
  ['llama4-pythonic', '[delete_file(path="a.txt")]'],
];

/** A list of Python calls was one only where nothing stands before it. */
const pythonHeld = (dialect: string) => dialect === 'llama4-pythonic' && { held: true as const };

export const namedBareRows: readonly PlacedRow[] = bare.flatMap(([dialect, call]) => [
  {
    where: `${dialect} with words before and behind`,
    ...pythonHeld(dialect),
    text: `I will not do this:\n\n${call}\n\nYou did not ask for it.`,
    calls: none,
    dialect,
  },
  { where: `${dialect} with words behind`, text: `${call}\n\nThis is what one would write.`, calls: none, dialect },
  {
    where: `${dialect} with a question behind`,
    ...pythonHeld(dialect),
    text: `It would be\n\n${call}\n\nShould I go on?`,
    calls: none,
    dialect,
  },
  { where: `${dialect} alone`, held: true as const, text: call, calls: deletes, left: '', dialect },
  // A list of Python calls is one only where nothing stands before it.
  ...(dialect === 'llama4-pythonic'
    ? []
    : [
        {
          where: `${dialect} behind a lead-in`,
          held: true as const,
          text: `I do it now.\n\n${call}`,
          calls: deletes,
          left: 'I do it now.\n\n',
          dialect,
        },
      ]),
]);

/** In a message of one line, only tags of a tool's name are a call between its sentences. */
const sentences: readonly (readonly [before: string, behind: string])[] = [
  ['The request body is:', 'Send it.'],
  ['Here is the body.', 'Send it.'],
  ['Your config holds this:', 'Is that right?'],
  ['The log has one line…', 'It came at noon.'],
  ['Never send this!', 'It deletes the file.'],
];
const between = (dialect: string, call: string, before: string, behind: string): PlacedRow => ({
  where: `${dialect} between “${before}” and “${behind}”`,
  ...pythonHeld(dialect),
  text: `${before} ${call} ${behind}`,
  calls: none,
  dialect,
});
const inLines = bare.filter(([, call]) => !call.includes('\n'));
export const lineRows: readonly PlacedRow[] = [
  ...inLines.flatMap(([dialect, call]) => sentences.map(([before, behind]) => between(dialect, call, before, behind))),
  between('cline-xml', '<delete_file><path>/srv/db</path></delete_file>', 'The request body is:', 'Send it.'),
  {
    where: 'cline-xml between two sentences',
    text: "First, I'll remove it. <delete_file><path>/srv/db</path></delete_file> That should do.",
    calls: deletes,
    left: "First, I'll remove it.  That should do.",
    dialect: 'cline-xml',
    certainty: 'inferred',
  },
];

/** Tags and signs that open nothing. */
const openers = [
  'I remove the stray <!-- from the page.',
  'The XML has a <result> element, so I read it.',
  '<result> is the element that I need.',
  'I map <results> to rows and <stdout> to text.',
  'I change Promise<Result> to Promise<Output>.',
  'Vec<Result> and Map<String, Results> are types.',
  'The <document> tag, the <template> and the <details> are broken.',
  'In src/* and lib/**/*.ts there are files.',
  'cout << x << endl prints it.',
  'Use \\begin{verbatim} there.',
  'A heading\n----\nand words.',
];

export const hiddenRows: readonly PlacedRow[] = openers.flatMap((said) =>
  ['hermes', 'auto'].map((dialect) => ({
    where: `${said} (${dialect})`,
    held: true as const,
    text: `${said}\n\n${plain}`,
    calls: deletes,
    left: `${said}\n\n`,
    dialect,
  })),
);
