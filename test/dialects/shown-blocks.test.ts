/** Calls in literals, listings, quotations and logs of many languages, with prose after them: text in a named dialect too. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] } as const;
const toolbox = new Toolbox([tool({ name: 'reboot', description: 'Reboots', inputSchema, effect: 'destructive' })]);

const calls: Readonly<Record<string, string>> = {
  hermes: '<tool_call>\n{"name": "reboot", "arguments": {"host": "a"}}\n</tool_call>',
  'qwen3-coder': '<tool_call>\n<function=reboot>\n<parameter=host>\na\n</parameter>\n</function>\n</tool_call>',
  'anthropic-xml':
    '<function_calls>\n<invoke name="reboot">\n<parameter name="host">a</parameter>\n</invoke>\n</function_calls>',
};
const indented = (call: string, width: number): string => call.replace(/^/gm, ' '.repeat(width));

function expectText(text: string, dialect: string): void {
  for (const chunk of [undefined, 1]) {
    const { calls, text: left } = readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) });
    expect({ calls, left }).toEqual({ calls: [], left: text });
  }
}

const blocks: Readonly<Record<string, (call: string) => string>> = {
  'a PHP heredoc': (call) => `$p = <<<TXT\n${call}\nTXT;\necho $p;`,
  'a PHP nowdoc': (call) => `<?php\n$p = <<<'TXT'\n${call}\nTXT;\necho $p;`,
  'a PHP heredoc in quotes': (call) => `$p = <<<"EOT"\n${call}\nEOT;\n`,
  'a Vim heredoc': (call) => `let reply =<< trim END\n${call}\nEND\necho reply`,
  'a Vim heredoc with two words': (call) => `let reply =<< trim eval END\n${call}\nEND`,
  'a string in Nix': (call) => `reply = ''\n${call}\n'';`,
  'an Org example': (call) => `#+BEGIN_EXAMPLE\n${call}\n#+END_EXAMPLE\n\nOrg exports this.`,
  'an Org source block': (call) => `#+begin_src xml\n${call}\n#+end_src\n\nOrg exports this.`,
  'a reStructuredText code block': (call) => `.. code-block:: xml\n\n${indented(call, 3)}\n\nSphinx renders this.`,
  'a line that continues a blockquote': (call) =>
    `> The page said:\n${call.replaceAll('\n', ' ')}\n\nI did not comply.`,
};
const known: Readonly<Record<string, (call: string) => string>> = {
  'a Ruby heredoc': (call) => `p = <<~EOS\n${call}\nEOS\nputs p`,
  'a shell heredoc': (call) => `cat <<'EOF' > a\n${call}\nEOF\nls`,
  'a Terraform heredoc': (call) => `variable "p" {\n  default = <<EOT\n${call}\nEOT\n}`,
  'an indented string in Nix': (call) => `{\n  reply = ''\n${call}\n  '';\n}`,
  'a reStructuredText literal block': (call) => `Example::\n\n${indented(call, 3)}\n\nSphinx renders this.`,
};
const inDialects = (table: typeof blocks): [string, string, string][] =>
  Object.entries(table).flatMap(([name, write]) =>
    Object.entries(calls).map(([dialect, call]): [string, string, string] => [dialect, name, write(call)]),
  );

describe('a call in a block', () => {
  it.each(inDialects(blocks))('%s: %s', (dialect, _, text) => expectText(text, dialect));
});

describe('guard: a call in a block that already was text', () => {
  it.each(inDialects(known))('%s: %s', (dialect, _, text) => expectText(text, dialect));
});

describe('a call in a log line', () => {
  it.each([
    'Mar  4 10:11:02 host agent[1]: ',
    '2026/03/04 10:11:02 ',
    'I0304 10:11:02.114 12 agent.go:3] ',
    '1709546462.123 agent ',
    '10.0.0.1 - - [04/Mar/2026:10:11:02 +0000] ',
    '12/03/26, 10:11 - Bob: ',
    '[04.03.26, 10:11:02] Ann: ',
  ])('%s', (stamp) => {
    const call = '<tool_call>{"name": "reboot", "arguments": {"host": "a"}}</tool_call>';
    expectText(`The last line of the log:\n${stamp}${call}`, 'hermes');
  });
});

describe('an unfinished name in a sentence', () => {
  it.each([
    ['hermes', 'The output stops at <tool_call>{"name": "reb because max_tokens was 20.'],
    ['qwen3-coder', 'Grep for <function=reb in the output.'],
    ['anthropic-xml', 'Grep for <invoke name="reb in the output.'],
  ])('%s: %s', (dialect, text) => expectText(text, dialect));
});

describe('guard: a call that the model makes', () => {
  it.each(['> Reboot it.\n\nCALL', 'The version is 2026.03.04.\nCALL\n', 'It is 10:11 now. I reboot it.\n\nCALL'])(
    '%s',
    (text) => {
      const call = calls.hermes as string;
      const { calls: made } = readCalls(text.replace('CALL', call), toolbox, { dialect: 'hermes' });
      expect(made.map(({ status }) => status)).toEqual(['ok']);
    },
  );

  it.each(['hermes', 'qwen3-coder'])('%s: reports a name that the token limit truncated', (dialect) => {
    const text = dialect === 'hermes' ? '<tool_call>{"name": "reb' : '<tool_call>\n<function=reb';
    const { calls: made } = readCalls(`On it.\n${text}`, toolbox, { dialect, truncated: true });
    expect(made.map(({ status }) => status)).toEqual(['invalid']);
  });
});
