import { displayUrl } from '../../provider/client/endpoint.ts';
import type { ServerKind } from './types.ts';

/** What to do, and the missing setting. */
export interface Advice {
  readonly advice: string;
  readonly setting?: string;
}

/** What advice depends on. */
export interface Case {
  readonly kind: ServerKind;
  readonly root: URL;
  /** The model's dialect, if known. */
  readonly dialect?: string | undefined;
}

/** Error messages of servers with a missing setting, and the advice for each. */
const refusals: readonly (readonly [says: RegExp, then: (about: Case) => Advice])[] = [
  [/enable-auto-tool-choice|tool-call-parser/i, (about) => vllmSetting(about)],
  [/requires? --jinja/i, () => ({ advice: 'Start llama-server with --jinja.', setting: '--jinja' })],
  [
    /unsupported param: tools/i,
    () => ({
      advice: 'This llama-server is too old for tools. Update it, and start it with --jinja.',
      setting: '--jinja',
    }),
  ],
  [
    /does not support tools|tools? (?:is|are) not supported/i,
    (about) => ({
      ...proxySetting(about),
      advice:
        'The server does not support tools for this model. Use the proxy, which reads calls from text, or choose a model with the tools capability.',
    }),
  ],
];

/** Advice for a refused call; undefined if there is none. */
export function afterRefusal(said: string, about: Case): Advice | undefined {
  return refusals.find(([says]) => says.test(said))?.[1](about);
}

/** Advice for a call in text: the server has no parser for it, or the wrong one. */
export function afterText(about: Case): Advice {
  if (about.kind === 'vllm') return vllmSetting(about);
  const { setting } = proxySetting(about);
  const server =
    about.kind === 'llama.cpp'
      ? 'Start llama-server with --jinja and the chat template of the model, or use the proxy.'
      : 'The server does not parse the calls of this model. Use the proxy, which does.';
  return { advice: server, setting: about.kind === 'llama.cpp' ? `--jinja` : (setting as string) };
}

/** Advice to use the proxy with the model's dialect. */
export function proxySetting({ root, dialect = 'auto' }: Case): Advice {
  return {
    advice: 'Use the proxy: it prompts for calls as text and reads them.',
    setting: `toolmend proxy --upstream ${displayUrl(root)} --dialect ${dialect}`,
  };
}

function vllmSetting({ dialect }: Case): Advice {
  const parser = dialect === undefined ? undefined : vllmParser[dialect];
  const setting = `--enable-auto-tool-choice --tool-call-parser ${parser ?? 'NAME'}`;
  const which = parser ? '' : ' Replace NAME with the parser of the model; see its model card.';
  return { advice: `Start vLLM with ${setting}.${which}`, setting };
}

/** vLLM's parser for each dialect: `--tool-call-parser NAME`. */
const vllmParser: Readonly<Record<string, string>> = {
  __proto__: null as never,
  hermes: 'hermes',
  'hermes-lenient': 'hermes',
  mistral: 'mistral',
  'llama3-json': 'llama3_json',
  'llama4-pythonic': 'llama4_pythonic',
  pythonic: 'pythonic',
  'qwen3-coder': 'qwen3_coder',
  'deepseek-v3': 'deepseek_v3',
  'deepseek-v31': 'deepseek_v31',
  'deepseek-v32': 'deepseek_v32',
  'kimi-k2': 'kimi_k2',
  glm45: 'glm45',
  harmony: 'openai',
  granite3: 'granite',
  'granite-20b-fc': 'granite-20b-fc',
  'hunyuan-a13b': 'hunyuan_a13b',
  internlm2: 'internlm',
  jamba: 'jamba',
  longcat: 'longcat',
  'minimax-m2': 'minimax_m2',
  'minimax-m3': 'minimax_m3',
  minicpm5: 'minicpm5',
  olmo3: 'olmo3',
  'phi4-mini': 'phi4_mini_json',
  'seed-oss': 'seed_oss',
  step3: 'step3',
  step3p5: 'step3p5',
  xlam: 'xlam',
  gigachat3: 'gigachat3',
  functiongemma: 'functiongemma',
  gemma4: 'gemma4',
  apertus: 'apertus',
  ernie45: 'ernie45',
};
