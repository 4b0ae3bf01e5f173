import type { CallForm, Dialect } from '../types.ts';

const think = [['<think>', '</think>']] as const;

const assigned = {
  forms: [
    {
      open: '<function={name}>',
      body: 'params',
      param: '<parameter={key}>{value}</parameter>',
      close: ['</function>'],
    },
    {
      open: '<function={name}\n',
      body: 'params',
      param: '<parameter={key}>{value}</parameter>',
      close: ['</function>'],
      next: ['<parameter='],
      readOnly: true,
    },
  ],
  sections: [['<tool_call>', '</tool_call>']],
  trim: 'newline',
} as const;

const pairs = (open: string, sfx = '', word = 'arg'): CallForm => ({
  open,
  body: 'params',
  param: `<${word}_key${sfx}>{key}</${word}_key${sfx}><${word}_value${sfx}>{value}</${word}_value${sfx}>`,
  close: [`</tool_call${sfx}>`],
});

const paired: readonly CallForm[] = [
  { ...pairs('<tool_call>~{name}~'), next: ['<arg_key>', '</tool_call>', ''] },
  { open: '<tool_call>~{name}~', body: 'args', close: ['</tool_call>'], readOnly: true },
];

/**
 * Invocations with named parameters, with or without a prefix. Without it, models may still write the attribute of
 * those with a prefix.
 */
const invoked = (prefix = '', attribute = '{stringRead}', start = '<'): CallForm => ({
  open: `${start}${prefix}invoke name="{name}">`,
  body: 'params',
  param: `<${prefix}parameter name="{key}"${attribute}>{value}</${prefix}parameter>`,
  close: [`</${prefix}invoke>`],
});
/** DeepSeek's own service also writes its token with two bars on each side, which are then several tokens. */
const twiceBarred = (space: string): CallForm => ({
  ...invoked(`｜｜DSML｜｜${space}`, '{string}'),
  lacks: '｜｜DSML｜｜',
  readOnly: true,
});

/** Group C: a name and tagged parameters; the schema decides the types. */
export const taggedDialects: readonly Dialect[] = [
  {
    name: 'qwen3-coder',
    group: 'C',
    families: 'Qwen3-Coder, Qwen3.5, 3.6, MiMo-V2',
    think,
    ...assigned,
    hints: ['<function=example_function_name>\n<parameter=', '<function=', '<parameter='],
  },
  { name: 'nemotron-v3', group: 'C', families: 'Nemotron 3 Nano, Super', think, manual: true, ...assigned },
  { name: 'step3p5', group: 'C', families: 'Step 3.5 Flash', think, manual: true, ...assigned },
  {
    name: 'seed-oss',
    group: 'C',
    families: 'Seed-OSS',
    ...assigned,
    trim: 'inline',
    sections: [['<seed:tool_call>', '</seed:tool_call>']],
    think: [['<seed:think>', '</seed:think>']],
    hints: ['<seed:tool_call>'],
  },
  {
    name: 'glm45',
    group: 'C',
    families: 'GLM-4.5 to 4.7, GLM-5',
    think,
    forms: paired,
    hints: ['<arg_key>'],
  },
  { name: 'poolside-v1', group: 'C', families: 'Poolside Laguna', think, manual: true, forms: paired },
  { name: 'ling3', group: 'C', families: 'Ling 3', think, manual: true, forms: paired },
  {
    name: 'hy-v3',
    group: 'C',
    families: 'Hunyuan Hy3',
    think,
    forms: [pairs('<tool_call{sfx}>~{name}~<tool_sep{sfx}>', '{sfx}')],
    sections: [['<tool_calls{sfx}>', '</tool_calls{sfx}>']],
    hints: ['<tool_sep'],
  },
  {
    name: 'hy-v4',
    group: 'C',
    families: 'Hunyuan Hy4',
    think,
    forms: [{ ...pairs('<tool_call{sfx}>~{name}~', '{sfx}'), next: ['<arg_key', '</tool_call', ''] }],
    sections: [['<tool_calls{sfx}>', '</tool_calls{sfx}>']],
  },
  {
    name: 'telechat4',
    group: 'C',
    families: 'TeleChat 4, Xing 4',
    think,
    forms: [
      { ...pairs('<tool_call>~{name}~', '', 'param'), next: ['<param_key>', '</tool_call>', ''] },
      { open: '<tool_call>~{name}~', body: 'args', close: ['</tool_call>'], readOnly: true },
      { open: '<tool_call>', body: 'call', close: ['</tool_call>'], readOnly: true },
    ],
    hints: ['<param_key>'],
  },
  {
    name: 'minimax-m2',
    group: 'C',
    families: 'MiniMax M2, 2.1, 2.5',
    think,
    forms: [invoked()],
    sections: [['<minimax:tool_call>', '</minimax:tool_call>']],
    hints: ['<minimax:tool_call>'],
  },
  {
    name: 'anthropic-xml',
    group: 'C',
    families: 'Claude-style prompts',
    forms: [invoked()],
    sections: [['<function_calls>', '</function_calls>']],
    think: [['<thinking>', '</thinking>']],
    hints: ['<function_calls>\n<invoke name='],
  },
  {
    name: 'anthropic-xml-legacy',
    group: 'C',
    families: 'older Claude-style prompts',
    forms: [
      {
        open: '<invoke><tool_name>{name}</tool_name><parameters>',
        body: 'params',
        param: '<{key}>{value}</{key}>',
        close: ['</parameters></invoke>', '</parameters>', '</invoke>'],
      },
    ],
    sections: [['<function_calls>', '</function_calls>']],
    think: [['<thinking>', '</thinking>']],
    hints: ['<tool_name>'],
  },
  {
    name: 'dots',
    group: 'C',
    families: 'dots',
    forms: [
      invoked(),
      { open: '<dots_function_call>', body: 'call', close: ['</dots_function_call>'], readOnly: true },
    ],
    sections: [['<dots_function_call>', '</dots_function_call>']],
    hints: ['<dots_function_call>'],
  },
  {
    name: 'deepseek-v32',
    group: 'C',
    special: true,
    families: 'DeepSeek V3.2',
    think,
    forms: [invoked('｜DSML｜', '{string}'), twiceBarred('')],
    sections: [
      ['<｜DSML｜function_calls>', '</｜DSML｜function_calls>'],
      ['<｜｜DSML｜｜function_calls>', '</｜｜DSML｜｜function_calls>'],
    ],
    hints: ['<｜DSML｜function_calls>', '｜DSML｜'],
  },
  {
    name: 'deepseek-v4',
    group: 'C',
    special: true,
    families: 'DeepSeek V4',
    think,
    forms: [invoked('｜DSML｜', '{string}'), twiceBarred('')],
    sections: [
      ['<｜DSML｜tool_calls>', '</｜DSML｜tool_calls>'],
      ['<｜｜DSML｜｜tool_calls>', '</｜｜DSML｜｜tool_calls>'],
    ],
    hints: ['<｜DSML｜tool_calls>'],
  },
  {
    name: 'deepseek-v41',
    group: 'C',
    special: true,
    families: 'DeepSeek V4.1',
    think,
    forms: [invoked('｜DSML｜ ', '{string}'), twiceBarred(' ')],
    sections: [
      ['<｜DSML｜ calls>', '</｜DSML｜ calls>'],
      ['<｜｜DSML｜｜ calls>', '</｜｜DSML｜｜ calls>'],
    ],
    hints: ['<｜DSML｜ calls>', '<｜DSML｜ invoke'],
  },
  {
    name: 'gigachat35',
    group: 'C',
    special: true,
    families: 'GigaChat 3.5',
    think,
    forms: [invoked('｜GCML｜', '{string}')],
    sections: [['<｜GCML｜tool_calls>', '</｜GCML｜tool_calls>']],
    drop: ['</s>'],
    hints: ['｜GCML｜'],
  },
  {
    name: 'k2-horizon',
    group: 'C',
    families: 'K2 Horizon',
    think,
    forms: [
      {
        open: '<ifm|tool_call>~{name}~',
        body: 'params',
        param: '<ifm|arg_key>{key}</ifm|arg_key><ifm|arg_value>{value}</ifm|arg_value>',
        close: ['</ifm|tool_call>'],
        next: ['<ifm|arg_key>', '</ifm|tool_call>', ''],
      },
      { open: '<ifm|tool_call>', body: 'call', close: ['</ifm|tool_call>'], next: ['~{'], readOnly: true },
    ],
    sections: [['<ifm|tool_calls>', '</ifm|tool_calls>']],
    hints: ['<ifm|arg_key>'],
  },
  {
    name: 'step3',
    group: 'C',
    special: true,
    families: 'Step3',
    think,
    forms: [{ ...invoked('steptml:'), special: false }],
    sections: [
      ['<｜tool_calls_begin｜>', '<｜tool_calls_end｜>'],
      ['<｜tool_call_begin｜>', '<｜tool_call_end｜>'],
    ],
    inner: ['function<｜tool_sep｜>', '<｜tool_sep｜>'],
    hints: ['steptml:'],
  },
  {
    name: 'minicpm5',
    group: 'C',
    families: 'MiniCPM5',
    think,
    cdata: true,
    forms: [
      {
        open: '<function name="{name}">',
        body: 'params',
        param: '<param name="{key}">{value}</param>',
        close: ['</function>'],
      },
    ],
    hints: ['<param name='],
  },
  {
    name: 'kimi-k3',
    group: 'C',
    special: true,
    families: 'Kimi K3',
    entities: true,
    forms: [
      {
        open: '<|open|>~call tool="{name}"{attrs}<|sep|>',
        body: 'params',
        param: '<|open|>~argument key="{key}"{typed}~<|sep|>{value}<|close|>~argument~<|sep|>',
        close: ['<|close|>~call~<|sep|>'],
      },
      // Some servers drop a separator with the token after it.
      {
        open: '<|open|>~toolscall tool="{name}"{attrs}<|sep|>',
        body: 'params',
        param: '<|open|>~argument key="{key}"{typed}~<|sep|>{value}<|close|>~argument~<|sep|>',
        close: ['<|close|>~call~<|sep|>'],
        readOnly: true,
      },
    ],
    sections: [['<|open|>~tools~<|sep|>', '<|close|>~tools~<|sep|>']],
    think: [['<|open|>~think~<|sep|>', '<|close|>~think~<|sep|>']],
    drop: [
      '<|open|>~response~<|sep|>',
      '<|close|>~response~<|sep|>',
      '<|open|>~message~<|sep|>',
      '<|close|>~message~<|sep|>',
      '<|close|>~toolsmessage~<|sep|>',
    ],
    hints: ['<|open|>'],
  },
  {
    name: 'minimax-m3',
    group: 'C',
    special: true,
    families: 'MiniMax M3',
    nested: ']<]minimax[>[',
    forms: [
      {
        open: ']<]minimax[>[<invoke name="{name}">',
        body: 'params',
        param: ']<]minimax[>[<{key}>{value}]<]minimax[>[</{key}>',
        close: [']<]minimax[>[</invoke>'],
      },
    ],
    sections: [[']<]minimax[>[<tool_call>', ']<]minimax[>[</tool_call>']],
    think: [['<mm:think>', '</mm:think>']],
    hints: [']<]minimax[>['],
  },
  {
    name: 'cline-xml',
    group: 'C',
    families: 'Cline, Roo, Kodu',
    trim: 'newline',
    forms: [{ open: '<{tool}>', body: 'params', param: '<{key}>{value}</{key}>', close: ['</{tool}>'], code: true }],
    think: [['<thinking>', '</thinking>']],
  },
];
