import type { Dialect } from '../types.ts';

const think = [['<think>', '</think>']] as const;
const marked = (open: string, ...close: string[]) => ({ open, body: 'call', close }) as const;
const listed = (open: string, ...close: string[]) => ({ ...marked(open, ...close), next: ['~[', '~{'] }) as const;
const citations = ['<co>', '</co>', '<co:{cite}>', '</co:{cite}>'];
const bare = { open: '{bare}', body: 'call', bare: true } as const;
const fenced = { open: '```json~{bare}', body: 'call', close: ['```'], bare: true } as const;
const plainFence = { ...fenced, open: '```\n~{bare}', readOnly: true } as const;
const lenient = (tag: string) => ({ ...marked(`<${tag}>`, `</${tag}>`), bare: true, readOnly: true }) as const;

/** Group A: JSON with name and arguments, in markers or bare. */
export const jsonDialects: readonly Dialect[] = [
  {
    ...{ name: 'hermes', group: 'A', families: 'Hermes 2/3, Qwen2.5, Qwen3, QwQ, MiMo-VL, Reka-Edge, Trinity', think },
    forms: [
      marked('<tool_call>', '</tool_call>'),
      { open: '<tool_call>~<function>{name}</function>~', body: 'args', close: ['</tool_call>'], readOnly: true },
    ],
    hints: ['<tool_call>\\n{"name":', '<tool_call>\n{"name"'],
  },
  {
    ...{ name: 'longcat', group: 'A', families: 'LongCat-Flash', think },
    forms: [marked('<longcat_tool_call>', '</longcat_tool_call>')],
    hints: ['<longcat_tool_call>'],
  },
  {
    ...{ name: 'ernie45', group: 'A', families: 'ERNIE 4.5 thinking', think, manual: true },
    forms: [marked('<tool_call>', '</tool_call>')],
    drop: ['<response>', '</response>'],
  },
  {
    ...{ name: 'granite4', group: 'A', families: 'Granite 4.x', think, manual: true },
    forms: [marked('<tool_call>', '</tool_call>')],
  },
  {
    ...{ name: 'granite3', group: 'A', special: true, families: 'Granite 3.0–3.3', think, list: true },
    forms: [
      listed('<|tool_call|>'),
      { ...listed('<tool_call>', '</tool_call>'), readOnly: true, special: false },
      { ...bare, start: true, readOnly: true },
    ],
    drop: ['<response>', '</response>'],
    hints: ['<|tool_call|>'],
  },
  {
    ...{ name: 'granite-20b-fc', group: 'A', families: 'granite-20b-functioncalling' },
    forms: [{ ...marked('<function_call>', '</function_call>'), closeOptional: true }],
    hints: ['<function_call>'],
  },
  {
    ...{ name: 'nemotron-v2', group: 'A', families: 'Nemotron Nano v2', think, list: true },
    forms: [listed('<TOOLCALL>', '</TOOLCALL>')],
    hints: ['<TOOLCALL>'],
  },
  {
    ...{ name: 'jamba', group: 'A', families: 'Jamba 1.5', think, list: true },
    // Without a named dialect, this row also reads `minimax-m1`.
    forms: [{ ...listed('<tool_calls>', '</tool_calls>'), lines: true }],
    hints: ['<tool_calls>['],
  },
  {
    ...{ name: 'apriel', group: 'A', families: 'Apriel 1.5, 1.6', list: true, manual: true },
    forms: [listed('<tool_calls>', '</tool_calls>')],
    think: [...think, ['^Here are my reasoning steps:', '[BEGIN FINAL RESPONSE]']],
    drop: ['[BEGIN FINAL RESPONSE]', '[END FINAL RESPONSE]'],
    hints: ['[BEGIN FINAL RESPONSE]'],
  },
  {
    ...{ name: 'hunyuan-a13b', group: 'A', families: 'Hunyuan-A13B', think, list: true, manual: true },
    forms: [listed('<tool_calls>', '</tool_calls>')],
    drop: ['<answer>', '</answer>'],
  },
  {
    ...{ name: 'minimax-m1', group: 'A', families: 'MiniMax M1', think, manual: true },
    forms: [{ ...marked('<tool_calls>', '</tool_calls>'), lines: true }],
  },
  {
    ...{ name: 'apertus', group: 'A', special: true, families: 'Apertus', list: true, keyed: true },
    forms: [listed('<|tools_prefix|>', '<|tools_suffix|>')],
    think: [['<|inner_prefix|>', '<|inner_suffix|>']],
    hints: ['<|tools_prefix|>'],
  },
  {
    ...{ name: 'phi4-mini', group: 'A', families: 'Phi-4-mini', list: true },
    forms: [
      { ...marked('functools'), next: ['~['] },
      { ...listed('<|tool_call|>', '<|/tool_call|>', '<|tool_call_end|>'), special: true, readOnly: true },
    ],
    hints: ['functools['],
  },
  {
    ...{ name: 'firefunction', group: 'A', families: 'FireFunction v2', list: true, manual: true },
    forms: [{ ...marked('functools'), next: ['~['] }],
  },
  {
    ...{
      name: 'internlm2',
      group: 'A',
      special: true,
      families: 'InternLM 2, 2.5, Intern-S1',
      keys: ['name', 'parameters'],
    },
    forms: [marked('<|action_start|>~<|plugin|>', '<|action_end|>')],
    hints: ['<|action_start|>'],
  },
  {
    ...{
      name: 'llama3-json',
      group: 'A',
      special: true,
      families: 'Llama 3.1–3.3, Llama 4 json',
      keys: ['name', 'parameters'],
      suffix: '.call',
    },
    forms: [
      marked('<|python_tag|>'),
      { open: '<|python_tag|>~{python}', body: 'python', close: ['<|eom_id|>', '<|eot_id|>'], readOnly: true },
      { ...bare, readOnly: true },
    ],
    drop: ['<|eom_id|>', '<|eot_id|>'],
    hints: ['<|python_tag|>'],
  },
  {
    ...{ name: 'json-array', group: 'A', families: 'tool_choice=required of any engine', list: true, think },
    forms: [{ ...bare, start: true }],
  },
  {
    ...{ name: 'generic-json', group: 'A', families: 'any model that writes the call as an object', manual: true },
    ...{ forms: [bare], think },
  },
  {
    ...{ name: 'json-fence', group: 'A', families: 'models prompted to do so', think },
    forms: [fenced, plainFence],
  },
  {
    ...{ name: 'xlam', group: 'A', families: 'xLAM 1, 2', think, list: true, manual: true },
    forms: [
      bare,
      fenced,
      { ...listed('[TOOL_CALLS]'), readOnly: true },
      { ...listed('<tool_call>', '</tool_call>'), readOnly: true },
    ],
  },
  {
    ...{
      name: 'cohere-cmd3',
      group: 'A',
      special: true,
      families: 'Command R7B, A',
      list: true,
      keys: ['tool_name', 'parameters'],
    },
    forms: [listed('<|START_ACTION|>', '<|END_ACTION|>')],
    think: [['<|START_THINKING|>', '<|END_THINKING|>']],
    inner: citations,
    drop: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>', '<|END_OF_TURN_TOKEN|>'],
    hints: ['<|START_ACTION|>'],
  },
  {
    ...{
      name: 'cohere-cmd4',
      group: 'A',
      special: true,
      families: 'Command A+',
      list: true,
      keys: ['tool_name', 'parameters'],
      manual: true,
    },
    forms: [listed('<|START_ACTION|>', '<|END_ACTION|>')],
    think: [['<|START_THINKING|>', '<|END_THINKING|>']],
    inner: citations,
    drop: ['<|START_TEXT|>', '<|END_TEXT|>', '<|START_RESPONSE|>', '<|END_RESPONSE|>'],
    hints: ['<|START_TEXT|>'],
  },
  {
    ...{
      name: 'cohere2moe',
      group: 'A',
      special: true,
      families: 'Command A+ with reasoning',
      list: true,
      keys: ['tool_name', 'parameters'],
      manual: true,
    },
    forms: [listed('<|START_ACTION|>', '<|END_ACTION|>')],
    think: [['<|START_THINKING|>', '<|END_THINKING|>']],
    inner: citations,
    drop: ['<|START_TEXT|>', '<|END_TEXT|>', '<|START_RESPONSE|>', '<|END_RESPONSE|>'],
  },
  {
    ...{ name: 'command-r-plus', group: 'A', families: 'Command R+', list: true, keys: ['tool_name', 'parameters'] },
    forms: [listed('Action:~```json', '```')],
  },
  {
    ...{ name: 'gigachat3', group: 'A', special: true, families: 'GigaChat 3, 3.1' },
    forms: [
      { ...marked('<|function_call|>'), single: true },
      { ...marked('<|message_sep|>~function call<|role_sep|>'), single: true, readOnly: true },
    ],
    drop: ['</s>'],
    hints: ['<|function_call|>', 'function call<|role_sep|>'],
  },
  {
    ...{ name: 'inkling', group: 'A', special: true, families: 'Inkling', keys: ['name', 'args'], callEndsThink: true },
    forms: [
      marked('<|content_invoke_tool_json|>', '<|end_message|>'),
      { ...marked('<|message_model|>~{word}~<|content_invoke_tool_json|>', '<|end_message|>'), readOnly: true },
    ],
    think: [['<|content_thinking|>', '<|end_message|>']],
    drop: [
      ...['<|content_text|>', '<|message_model|>', '<|content_model_end_sampling|>', '<|content_invoke_tool_text|>'],
      '<|end_message|>',
    ],
    hints: ['<|content_invoke_tool_json|>'],
  },
  {
    ...{
      name: 'lm-studio',
      group: 'A',
      families: 'models with the default prompt of LM Studio',
      think,
    },
    forms: [marked('[TOOL_REQUEST]', '[END_TOOL_REQUEST]')],
    hints: ['[TOOL_REQUEST]'],
  },
  {
    ...{ name: 'lfm2-json', group: 'A', special: true, families: 'LFM2 in JSON mode', think, list: true, manual: true },
    forms: [listed('<|tool_call_start|>', '<|tool_call_end|>')],
  },
  {
    ...{ name: 'pangu', group: 'A', special: true, families: 'openPangu', list: true },
    forms: [listed('[unused11]', '[unused12]')],
    think: [['[unused16]', '[unused17]']],
    hints: ['[unused11]'],
  },
  {
    ...{ name: 'hermes-lenient', group: 'A', families: 'finetunes of the Hermes family', think },
    forms: [
      marked('<tool_call>', '</tool_call>'),
      { open: '<function={name}>', body: 'args', close: ['</function>'], readOnly: true },
      { ...marked('[TOOL_CALL]', '[/TOOL_CALL]'), next: ['~{~"'], readOnly: true },
      { ...lenient('response'), open: '```xml~<response>', close: ['</response>~```'] },
      ...['tool', 'tools', 'response', 'json', 'JSON', 'xml', 'function_call'].map(lenient),
      { ...fenced, readOnly: true },
      { ...bare, readOnly: true },
    ],
  },
];
