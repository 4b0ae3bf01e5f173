import { readFileSync } from 'node:fs';
import type { Format } from '../../model/index.ts';
import type { JsonSchema } from '../../schema/types.ts';
import type { Fault } from '../../tools/config-error.ts';
import { readSettings, settingName } from '../../tools/read-config.ts';
import type { Policy } from '../../tools/tool.ts';
import type { ListenOptions } from '../listen-options.ts';

/** A file of settings, as it is written. `${env:NAME}` in any text stands for a variable of the environment. */
export interface ProxyConfig extends Omit<ListenOptions, 'metrics' | 'store' | 'inspect'> {
  readonly $schema?: string;
  readonly token?: string;
  readonly dryRun?: boolean;
  /** Arguments go out as they come, before it is known whether they will be complete. */
  readonly streamArguments?: boolean;
  /** How often calls that can't be mended are taken back to the model, and when that is given up. */
  readonly retries?: number;
  readonly retryLimits?: { readonly time?: number; readonly tokens?: number };
  /** By name. */
  readonly upstreams: Readonly<Record<string, UpstreamConfig>>;
  /** By name or pattern, with `*` for any text; the first that fits counts. Without any, all go to the first upstream. */
  readonly models?: Readonly<Record<string, string | ModelConfig>>;
  readonly log?: LogConfig;
}

/** What `format` may say: a family of wires. */
export type FormatName = 'openai' | 'anthropic' | 'gemini' | 'ollama';

/** A server of models. */
export interface UpstreamConfig extends PerModel {
  readonly url: string;
  /** A family, or a list of wires; it is asked where nothing is said. */
  readonly format?: FormatName | readonly Format[];
}

/** Which upstream a model is asked at, and what holds for it there. */
export interface ModelConfig extends PerModel {
  /** Its name among the upstreams. */
  readonly upstream: string;
}

/** What may be said for an upstream, and otherwise for some of its models. */
interface PerModel {
  /** Sent with every request, in place of the client's key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly policy?: Policy;
  /** `auto`, `native`, or the name of a dialect. */
  readonly dialect?: string;
  /** The models take no tools: they are told of them in words. Found out where it is not said. */
  readonly toolsInText?: boolean;
}

/** What is kept of answers. */
export interface LogConfig {
  /** A SQLite file. */
  readonly file?: string;
  /** Whether it holds what was said and called with, not only the names. */
  readonly content?: boolean;
  readonly keepDays?: number;
}

// The sources ship with the build, so that the schema stands in one place and editors can point at it.
const schemaFile = new URL('../proxy-config.schema.json', import.meta.url);

/**
 * Reads settings: puts variables in, checks them against the published schema, and throws with every fault, where it is and
 * what to do about it.
 *
 * @param value the settings, parsed
 */
export const readConfig = (value: unknown, env: Readonly<Record<string, string | undefined>>): ProxyConfig =>
  readSettings<ProxyConfig>(value, {
    ...{ configType: 'proxy', published: 'proxy-config.schema.json', env, further: danglingNames },
    schema: JSON.parse(readFileSync(schemaFile, 'utf8')) as JsonSchema,
  });

/** Models that are sent to an upstream that is not there. */
function danglingNames({ upstreams, models = {} }: ProxyConfig): Fault[] {
  return Object.entries(models).flatMap(([pattern, model]) => {
    const name = typeof model === 'string' ? model : model.upstream;
    if (Object.hasOwn(upstreams, name)) return [];
    const fix = `Use one of: ${Object.keys(upstreams).join(', ')}`;
    return [{ field: settingName(['models', pattern]), message: `unknown upstream '${name}'`, fix }];
  });
}
