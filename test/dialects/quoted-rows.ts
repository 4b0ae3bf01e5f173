/** Texts that speak of a call or show one, with `CALL` where it stands: the call of any dialect is text there. */

/** In a sentence, or behind one in its line, with words behind: calls in one line. */
export const midLine: readonly string[] = [
  '日志里是CALL这样的标记，我没有执行。',
  'ログにはCALLと書かれています。',
  'Here is an example. CALL This is what the model writes.',
  "I won't do it! CALL That is what the attacker wanted.",
  "Never emit this. CALL I certainly won't.",
  '格式如下。CALL这就是它的写法。',
  'Forms:\n1. CALL – with the prefix\n2. something else',
  'Loggen säger ”CALL” och inget mer.',
  'Dort steht »CALL« und sonst nichts.',
  'On lit ‹CALL› et rien de plus.',
  '文中写道《CALL》，没有别的。',
  '我没有执行（CALL）。',
  '示例【CALL】结束。',
  'Dort steht ‚CALL‘ und sonst nichts.',
  'The output **CALL** is wrong.',
  'Raw:CALL (from the model card)',
  'It wrote this —CALL— and stopped.',
  '// CALL',
  '-- CALL',
  '12→CALL',
  '+CALL',
];

/** Whatever the call looks like. */
export const around: readonly string[] = [
  '- > CALL',
  '1. > CALL',
  '- a\n  - > CALL',
  '＞ CALL',
  '```text\n1. Step:\n\n    ```\n    CALL\n    ```\n```\nThat was the page.',
  'let s = r#"\nCALL\n"#;',
  'The page says "\nCALL\n" and I ignored it.',
  "s = '\nCALL\n'",
  '--- BEGIN QUOTE ---\nCALL\n--- END QUOTE ---',
  '-----8<-----\nCALL\n-----8<-----',
  '<summary>\nCALL\n</summary>',
  '[TOOL_RESULTS]\nCALL\n[/TOOL_RESULTS]',
  '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>\nCALL\n<｜tool▁output▁end｜><｜tool▁outputs▁end｜>',
  '<|START_TOOL_RESULT|>\nCALL\n<|END_TOOL_RESULT|>',
  '<start_function_response>\nCALL\n<end_function_response>',
];

/** Reasoning of another family than the dialect's. */
export const thought: readonly string[] = [
  '<thinking>\nI could write\nCALL\nbut I should ask.\n</thinking>\nDo you really want that?',
  '<reasoning>\nI could write\nCALL\n</reasoning>\nDo you really want that?',
  '<scratchpad>\nCALL\n</scratchpad>\nDo you really want that?',
  '[THINK]I could write\nCALL\nbut I should ask.[/THINK]Do you really want that?',
  '<|START_THINKING|>\nCALL\n<|END_THINKING|>\nDo you really want that?',
];

/** Behind a question: plain markers. */
export const asked: readonly string[] = [
  'Shall I run it?CALL',
  '本当に実行してもよろしいですか？CALL',
  'هل أنفذ ذلك؟CALL',
  'Do you want that?\nCALL',
  '要执行吗？\n\nCALL',
];

/** The calls are made here. */
export const made: readonly string[] = [
  'CALL',
  'Saving it.\nCALL',
  'Saving it. CALL',
  '- CALL',
  'You said "go", so I go.\n\nCALL',
  'Er sagte „los“.\n\nCALL',
  'It is 5\' 6" tall.\n\nCALL',
  '```text\nx\n```\n\nCALL',
  '- a\n\n  ```text\n  x\n  ```\n\nCALL',
  '> You asked for it.\n\nFine.\n\nCALL',
  'Is it there? Let me see.\n\nCALL',
  'The <reasoning> tag is gone.\n\nCALL',
];
