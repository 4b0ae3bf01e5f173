import type { JsonObject } from '../../json/value.ts';
import type { Format } from '../../model/index.ts';
import type { JsonSchema } from '../../schema/types.ts';
import type { Fault } from '../../tools/config-error.ts';
import { readSettings, settingName } from '../../tools/read-config.ts';
import type { Policy } from '../../tools/tool.ts';
import type { ClientKey, ListenOptions } from '../listen-options.ts';
import type { FailoverOptions } from '../options.ts';
import schema from '../proxy-config.schema.json' with { type: 'json' };

/** The proxy's configuration file. `${env:NAME}` in any string is replaced by an environment variable. */
export interface ProxyConfig extends Omit<ListenOptions, 'metrics' | 'store' | 'inspect' | 'keys'> {
  readonly $schema?: string;
  readonly token?: string;
  /** Keys of clients by name. */
  readonly keys?: Readonly<Record<string, Omit<ClientKey, 'name'>>>;
  readonly dryRun?: boolean;
  /** Send arguments as they arrive, before they are known to be complete. */
  readonly streamArguments?: boolean;
  /** How often calls that can't be mended are retried with the model, and the limits. */
  readonly retries?: number;
  readonly retryLimits?: { readonly time?: number; readonly tokens?: number };
  /** When requests are sent again, and when URLs are no longer used. */
  readonly failover?: FailoverOptions;
  /** Upstreams by name. */
  readonly upstreams: Readonly<Record<string, UpstreamConfig>>;
  /**
   * Models by name or pattern, where `*` matches any text; the first match applies. In a list, each target is the fallback
   * of the one before. Without any models, all requests go to the first upstream.
   */
  readonly models?: Readonly<Record<string, ModelTarget | readonly ModelTarget[]>>;
  readonly log?: LogConfig;
}

/** Values of `format`. */
export type FormatName = 'openai' | 'anthropic' | 'gemini' | 'ollama';

/** A model server. */
export interface UpstreamConfig extends PerModel {
  /** The base URL, or several with the same models. */
  readonly url: string | readonly string[];
  /**
   * A format name, or a list of API formats.
   * @default detected
   */
  readonly format?: FormatName | readonly Format[];
  /** A file with certificates of an authority (PEM) that is trusted for this upstream, besides the usual ones. */
  readonly ca?: string;
}

/** Name of an upstream, or with settings. */
export type ModelTarget = string | ModelConfig;

/** The upstream of a model, and its settings there. */
export interface ModelConfig extends PerModel {
  /** Name of the upstream. */
  readonly upstream: string;
  /**
   * Name of the model there. `*` is replaced by the text that the `*` of the pattern matched.
   * @default the name that the client requests
   */
  readonly model?: string;
}

/** Settings of an upstream, which models can override. */
interface PerModel {
  /** Sent with every request, instead of the client's key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly policy?: Policy;
  /** `auto`, `native`, or the name of a dialect. */
  readonly dialect?: string;
  /**
   * Whether the models lack tool support, so that tools are described in the prompt.
   * @default detected
   */
  readonly toolsInText?: boolean;
  /**
   * Whether the models think, so that translated requests have effort and thinking.
   * @default detected from responses
   */
  readonly reasoning?: boolean;
  /**
   * Tokens of prompt and response together. Larger output limits are lowered to what fits.
   * @default detected from refusals
   */
  readonly contextWindow?: number;
  /** Body fields that the client doesn't set. */
  readonly defaults?: JsonObject;
  /** Body fields that are removed. */
  readonly drop?: readonly string[];
}

/** How responses are logged. */
export interface LogConfig {
  /** A SQLite file. */
  readonly file?: string;
  /** Whether to log content and arguments, not only names. */
  readonly content?: boolean;
  /** Whether to store translated conversations for `previous_response_id`. */
  readonly responses?: boolean;
  readonly keepDays?: number;
}

/**
 * Reads a configuration: replaces variables and validates it against the published schema. Throws an error that lists
 * every problem, with its location and a fix.
 *
 * @param value the parsed configuration
 */
export const readConfig = (value: unknown, env: Readonly<Record<string, string | undefined>>): ProxyConfig =>
  readSettings<ProxyConfig>(value, {
    configType: 'proxy',
    published: 'proxy-config.schema.json',
    env,
    further: danglingNames,
    schema: schema as JsonSchema,
  });

/** The targets of a model; the first is tried first. */
export const targetsOf = (targets: ModelTarget | readonly ModelTarget[]): ModelConfig[] =>
  [targets].flat().map((one) => (typeof one === 'string' ? { upstream: one } : one));

/** Finds models with an unknown upstream. */
function danglingNames({ upstreams, models = {} }: ProxyConfig): Fault[] {
  return Object.entries(models).flatMap(([pattern, targets]) =>
    targetsOf(targets).flatMap(({ upstream: name }) => {
      if (Object.hasOwn(upstreams, name)) return [];
      const fix = `Use one of: ${Object.keys(upstreams).join(', ')}`;
      return [{ field: settingName(['models', pattern]), message: `unknown upstream '${name}'`, fix }];
    }),
  );
}
