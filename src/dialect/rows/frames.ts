import type { Dialect } from '../types.ts';

/** Groups D and F: frames and labelled lines, and the dialect without calls. */
export const frameDialects: readonly Dialect[] = [
  {
    ...{ name: 'harmony', group: 'D', special: true, families: 'gpt-oss', prefix: 'functions.', forms: [] },
    frame: {
      open: ['<|start|>', '<|channel|>'],
      message: '<|message|>',
      end: ['<|end|>', '<|call|>', '<|return|>'],
      reasoning: ['analysis'],
      text: ['final', 'commentary', 'user'],
      tool: 'args',
      write: '<|start|>assistant<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{args}<|call|>',
    },
    think: [['^analysis{upper}', 'assistantfinal', 'assistantcommentary']],
    inner: ['<|constrain|>', '<|message|>'],
    hints: ['<|channel|>'],
  },
  {
    ...{ name: 'muse-glimmer', group: 'D', special: true, families: 'Muse Glimmer', doubled: true },
    frame: {
      open: ['<|start|>'],
      message: '<|message|>',
      end: ['<|eom|>', '<|eot|>'],
      reasoning: ['self'],
      text: ['user'],
      tool: 'forms',
      strict: true,
      write: '<|start|>assistant to={name}<|message|>{calls}<|eom|>',
    },
    forms: [
      {
        open: '<atem:invoke name="{name}">',
        body: 'params',
        param: '<atem:parameter name="{key}">{value}</atem:parameter>',
        close: ['</atem:invoke>'],
      },
    ],
    sections: [['<atem:function_calls>', '</atem:function_calls>']],
    hints: ['<atem:'],
  },
  {
    ...{ name: 'react', group: 'F', families: 'models prompted to think, act and observe', callEndsThink: true },
    forms: [
      { open: 'Action: {name}\nAction Input:~', body: 'args' },
      { open: 'Action: {name}\nAction Input:~', body: 'word', readOnly: true },
      { open: 'Action: {name}\nAction Input:~```~', body: 'args', close: ['```'], readOnly: true },
      { open: 'Action: {name}\nAction Input:~```json~', body: 'args', close: ['```'], readOnly: true },
    ],
    think: [['^Thought:', '\nFinal Answer:', '\nAnswer:']],
    hints: ['Action Input:'],
  },
  { ...{ name: 'content-only', group: 'F', families: 'none: plain text, no calls', manual: true }, forms: [] },
];
