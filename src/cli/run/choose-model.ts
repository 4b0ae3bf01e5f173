import { anthropic } from '../../provider/client/anthropic.ts';
import type { ClientOptions } from '../../provider/client/client-options.ts';
import { gemini } from '../../provider/client/gemini.ts';
import { ollama } from '../../provider/client/ollama.ts';
import { openai } from '../../provider/client/openai.ts';
import { services } from '../../provider/client/services.ts';
import { textModel } from '../../provider/text-model.ts';
import type { Model } from '../../turn/turn.ts';
import { UsageError } from '../usage-error.ts';
import type { RunValues } from './run-flags.ts';

const makers: Readonly<Record<keyof typeof services, (options: ClientOptions) => Model>> = {
  openai,
  anthropic,
  gemini,
  ollama,
};

type Served = keyof typeof makers;

const names = Object.keys(makers) as Served[];

/** The model these options mean; `scripted` where a script is to play it. Throws for options that mean none. */
export function chooseModel(values: RunValues, env: NodeJS.ProcessEnv): Model | 'scripted' {
  const { model, 'base-url': baseURL, dialect } = values;
  const provider = values.provider ?? servedHere(env, baseURL);
  if (provider === 'scripted') {
    if (model !== undefined && values.provider === undefined) {
      throw new UsageError(`no key is set, so that ${model} can't be asked; set ${keyNames()}, or name a --provider`);
    }
    return 'scripted';
  }
  if (!isServed(provider))
    throw new UsageError(`there is no provider '${provider}'; there are: ${[...names, 'scripted'].join(', ')}`);
  if (model === undefined) throw new UsageError(`which model of ${services[provider].label}? Name it with --model`);
  const { needsKey, keyVariables, baseVariables } = services[provider];
  const isElsewhere = baseURL !== undefined || isSet(env, baseVariables);
  if (needsKey && !isElsewhere && !isSet(env, keyVariables)) {
    throw new UsageError(`${keyVariables[0]} is not set; ${services[provider].label} answers nobody without a key`);
  }
  const made = makers[provider]({ model, ...(baseURL !== undefined && { baseURL }) });
  return dialect === undefined ? made : textModel(made, { dialect });
}

/** The environment variables that a key may stand in. */
export const keyNames = (): string =>
  names
    .filter((name) => services[name].needsKey)
    .map((name) => services[name].keyVariables[0])
    .join(', ');

/** Who is meant where no provider is named: whose key there is, or the wire that local servers speak. */
function servedHere(env: NodeJS.ProcessEnv, baseURL: string | undefined): string {
  if (baseURL !== undefined) return 'openai';
  return names.find((name) => isSet(env, services[name].keyVariables)) ?? 'scripted';
}

const isServed = (name: string): name is Served => Object.hasOwn(makers, name);

const isSet = (env: NodeJS.ProcessEnv, variables: readonly string[]): boolean => variables.some((name) => env[name]);
