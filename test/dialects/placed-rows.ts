/** Texts that hold calls, and which of these the model made: a table for each rule of where a call may stand. */

export interface PlacedRow {
  /** Where the call stands, in words. */
  readonly where: string;
  /** It was read so before there was a rule. */
  readonly held?: true;
  readonly text: string;
  /** The tools that are called. */
  readonly calls: readonly string[];
  /** What is left for the user; all of the text where it holds no call. */
  readonly left?: string;
  readonly dialect?: string;
  /** The answer ended by length. */
  readonly cut?: boolean;
  /** How surely the model made the calls. */
  readonly certainty?: 'lossless' | 'inferred';
}

const args = '{"path": "a.txt"}';
const json = `{"name": "delete_file", "arguments": ${args}}`;
const plain = `<tool_call>${json}</tool_call>`;
const lines = `<tool_call>\n${json}\n</tool_call>`;
const special = "<|tool_call_start|>[delete_file(path='a.txt')]<|tool_call_end|>";
const mistral = `[TOOL_CALLS]delete_file[ARGS]${args}`;
const deepseek = `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>delete_file<｜tool▁sep｜>${args}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
const tagged = '<tool_call>\n<function=delete_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>';
const invoke = '<invoke name="delete_file"><parameter name="path">a.txt</parameter></invoke>';
const kimi = `<|tool_calls_section_begin|>\n<|tool_call_begin|>functions.delete_file:0<|tool_call_argument_begin|>${args}<|tool_call_end|>\n<|tool_calls_section_end|>`;
const dsml =
  '<｜DSML｜function_calls>\n<｜DSML｜invoke name="delete_file">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>';
const python = 'delete_file(path="a.txt")';
const cline = '<delete_file><path>a.txt</path></delete_file>';
const react = `Action: delete_file\nAction Input: ${args}`;
const escaped = JSON.stringify(plain).slice(1, -1);
const indented = (text: string, by = '    '): string => by + text.replaceAll('\n', `\n${by}`);
const deletes = ['delete_file'];
const none: readonly string[] = [];

/** Rule 1: what is never a call, and what only looks like that. */
export const neverRows: readonly PlacedRow[] = [
  ...['"', '(', "'", '['].map((mark) => ({
    where: `in a section behind ${mark}, its call on a line of its own, named`,
    ...{ text: `A stranger wrote ${mark}${tagged} to me, and I left it.`, calls: none, dialect: 'qwen3-coder' },
  })),
  ...[
    ['kimi-k2', kimi],
    ['deepseek-v31', deepseek.replace('｜><', '｜>\n<')],
    ['deepseek-v32', dsml],
    ['anthropic-xml', `<function_calls>\n${invoke}\n\n${invoke}\n</function_calls>`],
  ].flatMap(([dialect = '', text = '']) =>
    [dialect, 'auto'].map((name) => ({
      where: `in a section of ${dialect} in quotes, its call on a line of its own, read as ${name}`,
      ...{ text: `The log shows "${text}" which was not run.`, calls: none, dialect: name },
    })),
  ),
  { where: 'in a section behind a question', text: `May I remove it?\n\n${tagged}`, calls: none },
  {
    where: 'in a section of two calls behind a question',
    text: `Both of them? <function_calls>\n${invoke}\n${invoke}\n</function_calls>`,
    calls: none,
  },
  {
    where: 'behind an abbreviation, words behind it, named',
    ...{ text: `A model says, e.g. ${mistral} to do that.`, calls: none, dialect: 'mistral' },
  },
  {
    where: 'behind a sentence, words behind it, named',
    ...{ text: `So it goes. ${special} was all it took.`, calls: none, dialect: 'lfm2' },
  },
  { where: 'in inline code', text: `Write \`${plain}\``, calls: none },
  { where: 'in inline code of two backticks', text: `Write \`\`${plain}\`\``, calls: none },
  { where: 'in inline code with words of its own', text: `Run \`echo ${plain}\``, calls: none },
  { where: 'in inline code, the dialect named', text: `Write \`${plain}\``, calls: none, dialect: 'hermes' },
  { where: 'in inline code, of special tokens', text: `Write \`emit ${special}\``, calls: none },
  { where: 'in inline code, of special tokens, named', text: `Say \`emit ${special}\``, calls: none, dialect: 'lfm2' },
  { where: 'in a blockquote', text: `The user wrote:\n\n> ${plain}`, calls: none },
  { where: 'in a blockquote, named', text: `The user wrote:\n\n> ${plain}`, calls: none, dialect: 'hermes' },
  { where: 'in a quote in a blockquote', text: `> > ${plain}`, calls: none },
  { where: 'in a comment', text: `<!-- ${plain} -->`, calls: none },
  { where: 'in a comment of several lines, named', text: `<!--\n${lines}\n-->`, calls: none, dialect: 'hermes' },
  { where: 'in a string of JSON', text: `{"doc": "Use ${escaped} here"}`, calls: none },
  { where: 'at the end of a string of JSON', text: `{"doc": "Use ${escaped}"}`, calls: none },
  { where: 'in a string of JSON, named', text: `{"doc": "Use ${escaped}"}`, calls: none, dialect: 'hermes' },
  { where: 'in a string of JSON on a line of its own', text: `{\n  "doc": "Use ${escaped} now"\n}`, calls: none },
  { where: 'in a string of JSON that another follows', text: `{"a": "x ${escaped}", "b": "y"}`, calls: none },
  { where: 'in a string of code', text: `prompt = '${plain}'`, calls: none },
  { where: 'in a string of three quotes', text: `prompt = """\n${lines}\n"""`, calls: none },
  { where: 'in typographic quotes', text: `The page says “please run ${plain}”`, calls: none },
  { where: 'in a tool result', text: `<tool_response>\n${lines}\n</tool_response>`, calls: none },
  {
    where: 'in a result block, named',
    text: `<function_results>${plain}</function_results>`,
    calls: none,
    dialect: 'hermes',
  },
  { where: 'in a fence of XML', text: `Like this:\n\n\`\`\`xml\n${lines}\n\`\`\``, calls: none },
  { where: 'in a fence of Python, named', text: `\`\`\`python\n${lines}\n\`\`\``, calls: none, dialect: 'hermes' },
  { where: 'in a fence without a language, behind words', text: `Like this:\n\`\`\`\n${lines}\n\`\`\``, calls: none },
  { where: 'in a fence of tildes', text: `~~~text\n${lines}\n~~~`, calls: none },
  { where: 'in a fence of a list item', text: `1. Call it:\n   \`\`\`json\n   ${plain}\n   \`\`\``, calls: none },
  { where: 'in a fence that is never closed', text: `Example:\n\`\`\`xml\n${lines}`, calls: none },
  { where: 'in a fence, of special tokens', text: `\`\`\`text\n${special}\n\`\`\``, calls: none },
  { where: 'in indented code', text: `Call it so:\n\n${indented(lines)}`, calls: none },
  { where: 'in indented code, named', text: `Call it so:\n\n${indented(lines)}`, calls: none, dialect: 'hermes' },
  { where: 'in code indented by a tab', text: `Call it so:\n\n\t${plain}`, calls: none },
  {
    where: 'in a code block of reStructuredText',
    text: `.. code-block:: xml\n\n${indented(lines, '   ')}`,
    calls: none,
  },
  { where: 'in indented code behind other code', text: `Example:\n\n    # first\n    ${plain}`, calls: none },
  {
    where: 'in reasoning',
    held: true,
    text: `<think>I could ${plain} now.</think>Shall I?`,
    calls: none,
    left: 'Shall I?',
  },
  {
    where: 'at the end of reasoning that length cut off',
    text: `<think>So\n${lines}`,
    calls: none,
    left: '',
    cut: true,
  },
  {
    where: 'in reasoning that goes on',
    held: true,
    text: `<think>Not ${plain} but this: I ask.</think>`,
    calls: none,
    left: '',
  },
];

/** Rule 1, the other way: what stands beside such a place is a call. */
export const besideRows: readonly PlacedRow[] = [
  ...[
    'The tag "<tool_call>" opens a call.',
    'The `<tool_call>` was missing.',
    'A "<tool_call></tool_call>" is empty.',
    'Is <tool_call> a tag? Yes.',
  ].map((said) => ({
    where: `behind the mention of a section: ${said}`,
    ...{
      held: true as const,
      text: `${said}\n\n${tagged}`,
      calls: deletes,
      left: `${said}\n\n`,
      dialect: 'qwen3-coder',
    },
  })),
  {
    where: 'behind a section in quotes',
    ...{ text: `It said "${tagged}". Now I do it:\n\n${tagged}`, calls: deletes, dialect: 'qwen3-coder' },
    left: `It said "${tagged}". Now I do it:\n\n`,
  },
  { where: 'behind inline code', held: true, text: `I use \`rm\`.\n${plain}`, calls: deletes, left: 'I use `rm`.\n' },
  {
    where: 'behind a backtick that nothing closes',
    held: true,
    text: `The key \` is odd.\n${plain}`,
    calls: deletes,
    left: 'The key ` is odd.\n',
  },
  {
    where: 'behind apostrophes',
    held: true,
    text: `I'll do it, it's old.\n${plain}`,
    calls: deletes,
    left: "I'll do it, it's old.\n",
  },
  {
    where: 'behind a quotation',
    held: true,
    text: `You said "delete it".\n${plain}`,
    calls: deletes,
    left: 'You said "delete it".\n',
  },
  {
    where: 'behind a blockquote',
    held: true,
    text: `> delete it\n\n${plain}`,
    calls: deletes,
    left: '> delete it\n\n',
  },
  {
    where: 'behind a fence',
    held: true,
    text: `\`\`\`sh\nrm a\n\`\`\`\n${lines}`,
    calls: deletes,
    left: '```sh\nrm a\n```\n',
  },
  { where: 'behind a comment', held: true, text: `<!-- note -->\n${plain}`, calls: deletes, left: '<!-- note -->\n' },
  { where: 'behind reasoning', held: true, text: `<think>yes</think>\n${plain}`, calls: deletes, left: '' },
  { where: 'behind a line of JSON', held: true, text: `{"a": "b"}\n${plain}`, calls: deletes, left: '{"a": "b"}\n' },
  {
    where: 'in the dialect’s own words, indented, of special tokens',
    held: true,
    text: `Now:\n\n    ${special}`,
    calls: deletes,
    left: 'Now:\n\n    ',
  },
  {
    where: 'at the end of reasoning, and nothing else came',
    text: `<think>So I call.\n${lines}`,
    calls: deletes,
    left: '',
    certainty: 'inferred',
  },
];

/** Rule 3: where a call with markers stands. */
export const markedRows: readonly PlacedRow[] = [
  { where: 'alone', text: plain, calls: deletes, left: '', certainty: 'inferred' },
  { where: 'alone, named', text: plain, calls: deletes, left: '', dialect: 'hermes', certainty: 'lossless' },
  { where: 'alone, of special tokens', text: special, calls: deletes, left: '', certainty: 'lossless' },
  { where: 'behind prose', held: true, text: `I delete it.\n\n${lines}`, calls: deletes, left: 'I delete it.\n\n' },
  {
    where: 'behind prose in its line',
    held: true,
    text: `I delete it. ${plain}`,
    calls: deletes,
    left: 'I delete it. ',
  },
  {
    where: 'with prose between',
    held: true,
    text: `First.\n${plain}\nThen.\n${plain}`,
    calls: ['delete_file', 'delete_file'],
    left: 'First.\n\nThen.\n',
  },
  { where: 'before an end token', text: `${plain}\n<|im_end|>`, calls: deletes, left: '' },
  { where: 'before prose', text: `${plain}\nI deleted it.`, calls: none },
  {
    where: 'before prose, named, at a line start',
    held: true,
    text: `${plain}\nI deleted it.`,
    calls: deletes,
    left: 'I deleted it.',
    dialect: 'hermes',
  },
  { where: 'before prose, named, in a line', text: `I write ${plain} to delete it.`, calls: none, dialect: 'hermes' },
  {
    where: 'before prose, of special tokens, at a line start',
    held: true,
    text: `${special}\nDone.`,
    calls: deletes,
    left: 'Done.',
  },
  { where: 'before prose, of special tokens, in a line', text: `It writes ${special} to delete.`, calls: none },
  {
    where: 'before prose, of special tokens, in a sentence, named',
    text: `It writes ${special} to delete.`,
    calls: none,
    dialect: 'lfm2',
  },
  {
    where: 'before prose, of special tokens, behind a sentence, named',
    text: `I delete it. ${special}\nDone.`,
    calls: none,
    dialect: 'lfm2',
  },
  { where: 'behind a quote', text: `The token "${plain}`, calls: none },
  { where: 'behind a quote, named', text: `The token "${plain}`, calls: none, dialect: 'hermes' },
  { where: 'behind a bracket', text: `A call (${plain})`, calls: none },
  { where: 'behind a bracket, of special tokens, named', text: `A call (${special})`, calls: none, dialect: 'lfm2' },
  { where: 'behind a question', text: `Shall I run this? ${plain}`, calls: none },
  { where: 'behind a question, on its own line', text: `Shall I run this?\n${plain}`, calls: none },
  { where: 'behind a question in its line, named', text: `Shall I run this? ${plain}`, calls: none, dialect: 'hermes' },
  {
    where: 'behind a question, of special tokens',
    held: true,
    text: `What now? ${special}`,
    calls: deletes,
    left: 'What now? ',
  },
  { where: 'with a name that no tool has', text: plain.replace('delete_file', 'launch'), calls: none },
  {
    where: 'with a name that no tool has, of special tokens',
    text: special.replace('delete_file', 'launch'),
    calls: none,
  },
  { where: 'in a line of a log', text: `2026-01-01 10:00:00 sent ${plain}`, calls: none },
  { where: 'in a line of a transcript', text: `Assistant: ${plain}`, calls: none },
];

/** Rule 3, more look-alikes: lines of listings, and openers that are spoken of. */
export const spokenRows: readonly PlacedRow[] = [
  { where: 'in an added line of a diff', text: `@@ -1 +1 @@\n+${plain}`, calls: none },
  { where: 'in a removed line of a diff', text: `-${plain}\n+nothing`, calls: none },
  { where: 'behind the prompt of a chat', text: `bot> ${plain}`, calls: none },
  { where: 'behind a line number', text: `12: ${plain}`, calls: none },
  {
    where: 'an opener with words behind it',
    text: 'Write <invoke name="delete_file"> and then the path.',
    calls: none,
  },
  { where: 'in a table', text: `| format | call |\n| --- | --- |\n| hermes | ${plain} |`, calls: none },
  { where: 'in a quotation of another language', text: `Der Anhang enthält »${plain}« – mehr nicht.`, calls: none },
  { where: 'in an element of code', text: `<pre><code>${lines}</code></pre>`, calls: none },
];

/** Rule 4: forms without markers. */
export const bareRows: readonly PlacedRow[] = [
  { where: 'JSON alone', text: json, calls: deletes, left: '', certainty: 'inferred' },
  {
    where: 'JSON alone, with its id and type',
    held: true,
    text: `{"id": "c1", "type": "function", "index": 0, "name": "delete_file", "arguments": ${args}}`,
    calls: deletes,
    left: '',
  },
  {
    where: 'JSON alone, the way of OpenAI',
    held: true,
    text: `{"id": "c1", "type": "function", "function": {"name": "delete_file", "arguments": ${JSON.stringify(args)}}}`,
    calls: deletes,
    left: '',
  },
  { where: 'JSON in a fence', held: true, text: `\`\`\`json\n${json}\n\`\`\``, calls: deletes, left: '' },
  { where: 'JSON in a fence of another language', text: `\`\`\`yaml\n${json}\n\`\`\``, calls: none },
  { where: 'JSON behind reasoning', held: true, text: `<think>yes</think>${json}`, calls: deletes, left: '' },
  { where: 'JSON behind prose', text: `I call it: ${json}`, calls: none },
  {
    where: 'JSON behind prose, named',
    text: `I call it:\n${json}`,
    calls: deletes,
    left: 'I call it:\n',
    dialect: 'generic-json',
    certainty: 'inferred',
  },
  { where: 'JSON before prose', text: `${json}\nThat is the call.`, calls: none },
  { where: 'JSON in a sentence, named', text: `The object ${json} deletes it.`, calls: none, dialect: 'generic-json' },
  {
    where: 'JSON with an approval',
    text: `{"name": "delete_file", "arguments": ${args}, "approved": false}`,
    calls: none,
  },
  {
    where: 'JSON with an approval, named',
    text: `{"name": "delete_file", "arguments": ${args}, "approved": false}`,
    calls: none,
    dialect: 'generic-json',
  },
  { where: 'JSON with a result', text: `{"name": "delete_file", "arguments": ${args}, "result": "gone"}`, calls: none },
  {
    where: 'JSON of another protocol',
    held: true,
    text: `{"jsonrpc": "2.0", "method": "delete_file", "params": ${args}}`,
    calls: none,
  },
  { where: 'JSON with keys that agents use', text: `{"action": "delete_file", "action_input": ${args}}`, calls: none },
  { where: 'JSON that wraps calls', text: `{"tool_calls": [${json}]}`, calls: none },
  {
    where: 'a list with data in it',
    text: `[${json}, {"name": "delete_file", "arguments": ${args}, "status": "done"}]`,
    calls: none,
  },
  {
    where: 'a list with data in it, named',
    text: `[${json}, {"name": "delete_file", "arguments": ${args}, "status": "done"}]`,
    calls: none,
    dialect: 'json-array',
  },
  { where: 'a list with a name that no tool has', text: `[${json}, {"name": "launch", "arguments": {}}]`, calls: none },
  { where: 'a list of calls', held: true, text: `[${json}, ${json}]`, calls: ['delete_file', 'delete_file'], left: '' },
  { where: 'a call of Python', text: python, calls: deletes, left: '' },
  {
    where: 'a call of Python in a fence of its own',
    text: `\`\`\`tool_code\n${python}\n\`\`\``,
    calls: deletes,
    left: '',
  },
  { where: 'a call of Python in a fence of Python', held: true, text: `\`\`\`python\n${python}\n\`\`\``, calls: none },
  { where: 'a call of Python behind prose', held: true, text: `Use ${python}`, calls: none },
  { where: 'a call of Python beside other code', held: true, text: `import os\n${python}`, calls: none },
  { where: 'a call of Python in a comment', held: true, text: `# ${python}`, calls: none },
  { where: 'tags that bear the name', held: true, text: cline, calls: deletes, left: '' },
  { where: 'tags that bear the name, behind prose', text: `I delete it.\n${cline}`, calls: none },
  { where: 'tags that bear the name, in other tags', text: `<log>${cline}</log>`, calls: none },
  { where: 'labelled lines', held: true, text: react, calls: deletes, left: '' },
  { where: 'labelled lines behind prose', text: `The agent wrote:\n${react}`, calls: none },
  { where: 'labelled lines in a transcript', text: `${react}\nObservation: gone\nFinal Answer: done`, calls: none },
];

/** Rule 6: answers without calls, which leave as they came, to the character. */
export const unchangedRows: readonly PlacedRow[] = [
  ...[
    'A call begins with <tool_call> and ends with </tool_call>.',
    'Use <tool_call>.',
    '</tool_call> closes it.',
    'Write <invoke name="…"> and then <parameter name="…">.',
    'In Mistral’s format, [TOOL_CALLS] comes first.',
    '[TOOL_CALLS]',
    'Thought: I know it.\nFinal Answer: 42',
    'As is <think>.',
    'It said <think>hm</think> in the middle.',
    '<|START_ACTION|> marks what to do, says the paper',
    'أهلاً <tool_call> مرحبا',
    'The frame <|channel|>analysis<|message|> is Harmony’s.',
  ].map((text) => ({ where: JSON.stringify(text), text, calls: none })),
  ...[
    'The token <|im_start|> begins a turn, <|im_end|> ends it. So they say.',
    '<parameter=path> holds the path.',
    '  two spaces, a tab\t and trailing ones  \n\n\n',
    '\n\nleading lines',
    '{"a": 1}',
    '[1, 2, 3]',
    '```json\n{"name": "launch", "arguments": {}}\n```',
    '<answer>42</answer>',
    'functools is a module: from functools import lru_cache',
    'Action: wait for it.',
    'a < b && c > d | e <- f',
  ].map((text) => ({ where: JSON.stringify(text), held: true as const, text, calls: none })),
  { where: 'a marker in a dialect that was named', text: 'Use <tool_call> to call.', calls: none, dialect: 'hermes' },
  {
    where: 'a broken call in a dialect that was named',
    text: '<tool_call>no JSON</tool_call>',
    calls: none,
    dialect: 'hermes',
  },
  {
    where: 'reasoning closed at the start',
    held: true,
    text: '<think>hm</think>\n\nIt is 42.',
    calls: none,
    left: 'It is 42.',
  },
  {
    where: 'an end token at the very end',
    held: true,
    text: 'It is 42.</s>',
    calls: none,
    left: 'It is 42.',
    dialect: 'mistral',
  },
  {
    where: 'frames of the dialect',
    held: true,
    text: '<|START_RESPONSE|>Is it 42?<|END_RESPONSE|>',
    calls: none,
    left: 'Is it 42?',
  },
  {
    where: 'a message in a frame',
    held: true,
    text: '<|channel|>final<|message|>It is 42.<|return|>',
    calls: none,
    left: 'It is 42.',
  },
];

/** Rule 11: markers that are changed, stripped or missing. */
export const strippedRows: readonly PlacedRow[] = [
  { where: 'an inner marker alone', held: true, text: invoke, calls: deletes, left: '' },
  {
    where: 'an inner marker behind prose',
    held: true,
    text: `I delete it.\n${invoke}`,
    calls: deletes,
    left: 'I delete it.\n',
  },
  { where: 'an inner marker before prose', text: `${invoke} is what it writes.`, calls: none },
  {
    where: 'an inner marker without the opener outside',
    held: true,
    text: `${invoke}\n</function_calls>`,
    calls: deletes,
    left: '',
  },
  {
    where: 'an inner marker without the closer outside',
    held: true,
    text: `<function_calls>\n${invoke}`,
    calls: deletes,
    left: '',
  },
  {
    where: 'tagged, without the outer markers',
    held: true,
    text: tagged.replace(/<\/?tool_call>\n?/g, ''),
    calls: deletes,
    left: '',
  },
  { where: 'tagged, whole', held: true, text: tagged, calls: deletes, left: '' },
  { where: 'JSON, whose markers were stripped', text: `tool_call\n${json}`, calls: none },
  { where: 'JSON, whose opener was stripped', held: true, text: `${json}</tool_call>`, calls: deletes, left: '' },
  { where: 'JSON in a look-alike marker', held: true, text: `<tools>${json}</tools>`, calls: deletes, left: '' },
  { where: 'JSON in a look-alike marker behind prose', text: `See <tools>${json}</tools>`, calls: none },
  { where: 'JSON in a marker of another script', text: `＜tool_call＞${json}＜/tool_call＞`, calls: none },
  { where: 'JSON in a marker of entities', text: `&lt;tool_call&gt;${json}&lt;/tool_call&gt;`, calls: none },
  { where: 'JSON in brackets of another kind', text: `[tool_call]${json}[/tool_call]`, calls: none },
  {
    where: 'special tokens without their bars',
    held: true,
    text: `<tool_call_start>[${python}]<tool_call_end>`,
    calls: none,
  },
  { where: 'special tokens with a space in them', held: true, text: `<| tool_call_start |>[${python}]`, calls: none },
  {
    where: 'Mistral’s marker in small letters',
    held: true,
    text: mistral.toLowerCase().replace('[args]', ' '),
    calls: none,
  },
  { where: 'Mistral’s marker', held: true, text: mistral, calls: deletes, left: '' },
  {
    where: 'the outer tokens of DeepSeek missing',
    held: true,
    text: deepseek.replace(/<｜tool▁calls▁(?:begin|end)｜>/g, ''),
    calls: deletes,
    left: '',
  },
];
