import type { Dialect } from '../types.ts';

const think = [['<think>', '</think>']] as const;
const deepseekSections = [
  ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
  ['<｜tool▁calls｜>', '<｜tool▁calls▁end｜>'],
] as const;

/** Group B: a name and JSON arguments. */
export const nameAndJsonDialects: readonly Dialect[] = [
  {
    name: 'mistral',
    group: 'B',
    special: true,
    families: 'Mistral 7B v0.3 to Nemo, Small 3.2, Devstral, Magistral, Ministral 3',
    forms: [
      { open: '[TOOL_CALLS]~{name}~[ARGS]', body: 'args' },
      { open: '[TOOL_CALLS]~{name}~[CALL_ID]~{id}~[ARGS]', body: 'args', readOnly: true },
      { open: '[TOOL_CALLS]~{name}', body: 'args', readOnly: true },
      { open: '[TOOL_CALLS]', body: 'call', next: ['~[~{', '~{'], readOnly: true },
    ],
    think: [['[THINK]', '[/THINK]'], ...think],
    drop: ['</s>'],
    hints: ['[TOOL_CALLS]'],
  },
  {
    name: 'deepseek-v3',
    group: 'B',
    special: true,
    families: 'DeepSeek V3, R1 and its distillations',
    think,
    sections: deepseekSections,
    forms: [
      {
        open: '<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n',
        body: 'args',
        close: ['```~<｜tool▁call▁end｜>', '```', '<｜tool▁call▁end｜>'],
      },
      {
        open: 'function<｜tool▁sep｜>{name}\n```json\n',
        body: 'args',
        close: ['```~<｜tool▁call▁end｜>', '```', '<｜tool▁call▁end｜>'],
        readOnly: true,
      },
    ],
    hints: ['function<｜tool▁sep｜>', "'<｜tool▁sep｜>' + tool['function']['name'] + '\\n' + '```json'"],
  },
  {
    name: 'deepseek-v31',
    group: 'B',
    special: true,
    families: 'DeepSeek V3.1',
    think,
    sections: deepseekSections,
    forms: [{ open: '<｜tool▁call▁begin｜>~{name}~<｜tool▁sep｜>', body: 'args', close: ['<｜tool▁call▁end｜>'] }],
    hints: ['<｜tool▁call▁begin｜>'],
  },
  {
    name: 'kimi-k2',
    group: 'B',
    special: true,
    families: 'Kimi K2, K2-Thinking, K2.5',
    think,
    prefix: 'functions.',
    numbered: true,
    forms: [
      { open: '<|tool_call_begin|>~{name}~<|tool_call_argument_begin|>', body: 'args', close: ['<|tool_call_end|>'] },
      { open: '<|tool_call_begin|>', body: 'call', close: ['<|tool_call_end|>'], next: ['~{'], readOnly: true },
      {
        open: 'functions.{name}~<|tool_call_argument_begin|>',
        body: 'args',
        close: ['<|tool_call_end|>'],
        readOnly: true,
      },
    ],
    sections: [
      ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
      ['<|tool_call_section_begin|>', '<|tool_call_section_end|>'],
    ],
    hints: ['<|tool_call_argument_begin|>'],
  },
  {
    name: 'functionary-v31',
    group: 'B',
    families: 'Functionary v3.1',
    forms: [
      {
        open: '<function={name}>',
        body: 'args',
        close: ['</function>'],
        next: ['~{', '~"{', '~"\\"', '~[~{'],
      },
      {
        open: '<|python_tag|>',
        body: 'word',
        calls: ['python', 'code'],
        close: ['<|eom_id|>', '<|eot_id|>'],
        readOnly: true,
        special: true,
      },
    ],
    drop: ['<|eom_id|>', '<|eot_id|>'],
    hints: ['<function=example_function_name>{'],
  },
  {
    name: 'functionary-v32',
    group: 'D',
    families: 'Functionary v3.2',
    manual: true,
    forms: [
      { open: '>>>{name}\n', body: 'args' },
      { open: '{name}\n', body: 'args', start: true, readOnly: true },
      { open: '>>>python\n', body: 'word', calls: ['python', 'code'], readOnly: true },
      { open: 'python\n', body: 'word', calls: ['python', 'code'], start: true, readOnly: true },
      { open: '>>>all\n', body: 'word', text: true, readOnly: true },
      { open: 'all\n', body: 'word', text: true, start: true, readOnly: true },
    ],
    hints: ['>>>all'],
  },
  {
    name: 'gemma4',
    group: 'B',
    special: true,
    families: 'Gemma 4',
    quote: '<|"|>',
    forms: [
      { open: '<|tool_call>~call:{name}', body: 'args', close: ['<tool_call|>'] },
      { open: '<|tool_call>~:{name}', body: 'args', close: ['<tool_call|>'], readOnly: true },
      { open: '<|tool_call>~{name}', body: 'args', close: ['<tool_call|>'], readOnly: true },
    ],
    think: [
      ['<|channel>~thought\n', '<channel|>'],
      ['^thought\n', '<channel|>'],
    ],
    drop: ['<|channel>'],
    hints: ['<|tool_call>'],
  },
  {
    name: 'functiongemma',
    group: 'B',
    special: true,
    families: 'FunctionGemma',
    quote: '<escape>',
    forms: [
      { open: '<start_function_call>~call:{name}', body: 'args', close: ['<end_function_call>'] },
      {
        open: '<start_function_call>~{name}',
        lacks: 'call:',
        body: 'args',
        close: ['<end_function_call>'],
        next: ['~{'],
        readOnly: true,
      },
    ],
    hints: ['<start_function_call>'],
  },
  {
    name: 'solar-open',
    group: 'B',
    special: true,
    families: 'Solar Open',
    forms: [
      {
        open: '<|tool_call:begin|>{id}<|tool_call:name|>~{name}~<|tool_call:args|>',
        body: 'args',
        close: ['<|tool_call:end|>'],
        readOnly: true,
      },
      {
        open: '<|tool_call:begin|>{word}<|tool_call:name|>~{name}~<|tool_call:args|>',
        body: 'args',
        close: ['<|tool_call:end|>'],
      },
    ],
    sections: [['<|tool_calls|>', '<|calls|>']],
    think: [['<|think|>', '<|end|>~<|begin|>assistant']],
    drop: ['<|begin|>assistant', '<|content|>'],
    hints: ['<|tool_call:args|>'],
  },
  {
    name: 'plamo3',
    group: 'B',
    families: 'PLaMo 3',
    think,
    forms: [
      {
        open: '<|plamo:begin_tool_request:plamo|>~<|plamo:begin_tool_name:plamo|>~{name}~<|plamo:end_tool_name:plamo|>~<|plamo:begin_tool_arguments:plamo|>',
        body: 'args',
        close: ['<|plamo:end_tool_arguments:plamo|>~<|plamo:end_tool_request:plamo|>'],
      },
    ],
    sections: [['<|plamo:begin_tool_requests:plamo|>', '<|plamo:end_tool_requests:plamo|>']],
    drop: ['<|plamo:tag|>'],
    hints: ['<|plamo:begin_tool_request:plamo|>'],
  },
  {
    name: 'langchain-xml',
    group: 'B',
    families: 'the XML agent of LangChain',
    forms: [{ open: '<tool>{name}</tool><tool_input>', body: 'word', close: ['</tool_input>'] }],
    hints: ['<tool_input>'],
  },
];
