import type { Dialect } from '../types.ts';

const think = [['<think>', '</think>']] as const;
const started = {
  open: '<|python_start|>~{python}',
  body: 'python',
  close: ['<|python_end|>'],
  special: true,
} as const;
const bare = { open: '{calls}', body: 'python', start: true, bare: true } as const;

/** Group E: Python calls. */
export const pythonDialects: readonly Dialect[] = [
  {
    ...{ name: 'lfm2', group: 'E', special: true, families: 'LFM2, LFM2.5', think, list: true },
    forms: [
      { open: '<|tool_call_start|>', body: 'call', close: ['<|tool_call_end|>'], next: ['~{', '~[~{'], readOnly: true },
      { open: '<|tool_call_start|>~{python}', body: 'python', close: ['<|tool_call_end|>'] },
    ],
    hints: ['<|tool_call_start|>'],
  },
  {
    ...{ name: 'llama4-pythonic', group: 'E', families: 'Llama 4, Llama 3.2 pythonic, ToolACE', list: true, think },
    forms: [bare, { ...started, readOnly: true }],
    hints: ['<|python_start|>'],
  },
  {
    ...{
      name: 'pythonic',
      group: 'E',
      families: 'any model that writes a list of Python calls',
      list: true,
      manual: true,
    },
    think,
    forms: [bare, { ...started, readOnly: true }],
  },
  {
    ...{ name: 'gemma3', group: 'E', families: 'Gemma 2, 3 with Python in fences' },
    forms: [{ open: '```tool_code\n{calls}', body: 'python', close: ['```'], bare: true }],
    hints: ['```tool_code'],
  },
  {
    ...{ name: 'olmo3', group: 'E', families: 'OLMo 3', think },
    forms: [{ open: '<function_calls>~{python}', body: 'python', close: ['</function_calls>'] }],
    hints: ['<function_calls>'],
  },
];
