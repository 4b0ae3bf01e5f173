import type { Dialect } from '../types.ts';

/** Groups D and F: frames and labelled lines, and the dialect without calls. */
export const frameDialects: readonly Dialect[] = [
  {
    name: 'harmony',
    group: 'D',
    special: true,
    families: 'gpt-oss',
    prefix: 'functions.',
    forms: [],
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
    name: 'muse-glimmer',
    group: 'D',
    special: true,
    families: 'Muse Glimmer',
    doubled: true,
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
    name: 'react',
    group: 'F',
    families: 'models prompted to think, act and observe',
    callEndsThink: true,
    forms: [
      { open: 'Action: {name}\nAction Input:~', body: 'args' },
      { open: 'Action: {name}\nAction Input:~', body: 'word', readOnly: true },
      { open: 'Action: {name}\nAction Input:~```~', body: 'args', close: ['```'], readOnly: true },
      { open: 'Action: {name}\nAction Input:~```json~', body: 'args', close: ['```'], readOnly: true },
    ],
    think: [['^Thought:', '\nFinal Answer:', '\nAnswer:']],
    hints: ['Action Input:'],
  },
  { name: 'content-only', group: 'F', families: 'none: plain text, no calls', manual: true, forms: [] },
];

const think = [['<think>', '</think>']] as const;
const started = {
  open: '<|python_start|>~{python}',
  body: 'python',
  close: ['<|python_end|>'],
  special: true,
} as const;
const startedJson = {
  open: '<|python_start|>',
  body: 'call',
  close: ['<|python_end|>'],
  next: ['~{', '~[~{'],
  special: true,
} as const;
const bare = { open: '{calls}', body: 'python', start: true, bare: true } as const;

/** Group E: Python calls. */
export const pythonDialects: readonly Dialect[] = [
  {
    name: 'lfm2',
    group: 'E',
    special: true,
    families: 'LFM2, LFM2.5',
    think,
    list: true,
    forms: [
      { open: '<|tool_call_start|>', body: 'call', close: ['<|tool_call_end|>'], next: ['~{', '~[~{'], readOnly: true },
      { open: '<|tool_call_start|>~{python}', body: 'python', close: ['<|tool_call_end|>'] },
    ],
    hints: ['<|tool_call_start|>'],
  },
  {
    name: 'llama4-pythonic',
    group: 'E',
    families: 'Llama 4, Llama 3.2 pythonic, ToolACE',
    list: true,
    think,
    forms: [bare, { ...startedJson, readOnly: true }, { ...started, readOnly: true }],
    hints: ['<|python_start|>'],
  },
  {
    name: 'pythonic',
    group: 'E',
    families: 'any model that writes a list of Python calls',
    list: true,
    manual: true,
    think,
    forms: [bare, { ...started, readOnly: true }],
  },
  {
    name: 'gemma3',
    group: 'E',
    families: 'Gemma 2, 3 with Python in fences',
    forms: [{ open: '```tool_code\n{calls}', body: 'python', close: ['```'], bare: true }],
    hints: ['```tool_code'],
  },
  {
    name: 'olmo3',
    group: 'E',
    families: 'OLMo 3',
    think,
    forms: [{ open: '<function_calls>~{python}', body: 'python', close: ['</function_calls>'] }],
    hints: ['<function_calls>'],
  },
];
