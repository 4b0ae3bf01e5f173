import type { OutgoingHttpHeaders } from 'node:http';
import type { ReadCallsOptions } from '../../dialect/call-reader.ts';
import { dialectOf, rowsFor } from '../../dialect/detect.ts';
import { commonDialect } from '../../dialect/rows/index.ts';
import { endpoint } from '../../provider/client/endpoint.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { type Upstream, upstreamName } from '../options.ts';
import { fetchJson, pageOf } from './http.ts';

/** How text is read. */
export type TextReads = ReadCallsOptions & { readonly dialect: string };

/** How calls in text are dealt with. */
interface TextMode {
  /** The dialect in which text is read; nothing where it is not. */
  readonly reads?: string;
  /** The dialect in which tools are told of in words; nothing where the model takes them. */
  readonly asks?: string;
}

interface Known {
  takesNoTools: boolean;
  /** From the chat template, once it was asked for. */
  template?: Promise<string | undefined>;
  dialect?: string;
}

const kept = 1000;

/** What was found out about the models of upstreams: asked once, and remembered while the proxy runs. */
export class TextModes {
  readonly #known = new Map<string, Known>();
  readonly #tell: (message: string) => void;

  constructor(upstreams: readonly Upstream[], tell: (message: string) => void = () => {}) {
    this.#tell = tell;
    for (const { dialect = 'auto' } of upstreams) refuseUnknown(dialect);
  }

  of(upstream: Upstream, model: string): TextMode {
    const { dialect = 'auto', toolsInText = false } = upstream;
    if (dialect === 'native') return {};
    const known = this.#of(upstream, model);
    const reads = dialect === 'auto' ? (known.dialect ?? 'auto') : dialect;
    if (!toolsInText && !known.takesNoTools) return { reads };
    return { reads, asks: reads === 'auto' ? commonDialect : reads };
  }

  /** The upstream refused tools for this model: from now on they are told of in words. False where text is never read. */
  refused(upstream: Upstream, model: string, why: string): boolean {
    if (upstream.dialect === 'native') return false;
    this.#of(upstream, model).takesNoTools = true;
    this.#tell(
      `${nameOf(upstream, model)} does not support tools (${why}): the proxy describes them in the prompt and reads calls from text`,
    );
    return true;
  }

  /** Looks for the dialect in the model's chat template; asks the upstream once. */
  async learn(upstream: Upstream, model: string, headers: OutgoingHttpHeaders): Promise<void> {
    if ((upstream.dialect ?? 'auto') !== 'auto') return;
    const known = this.#of(upstream, model);
    known.template ??= this.#ask(upstream, model, headers);
    const dialect = await known.template;
    if (dialect !== undefined) known.dialect = dialect;
  }

  async #ask(upstream: Upstream, model: string, headers: OutgoingHttpHeaders): Promise<string | undefined> {
    const found = await templateOf(upstream, model, headers);
    const dialect = found && dialectOf(found.template);
    const why = found
      ? `the chat template at ${found.where} shows ${dialect ?? 'no known dialect'}`
      : 'the server shows no chat template';
    this.#tell(`${nameOf(upstream, model)}: reading calls from text as ${dialect ?? 'auto'}, because ${why}`);
    return dialect;
  }

  #of({ url }: Upstream, model: string): Known {
    const key = `${url} ${model}`;
    const known = this.#known.get(key) ?? { takesNoTools: false };
    this.#known.set(key, known);
    if (this.#known.size > kept) this.#known.delete(this.#known.keys().next().value as string);
    return known;
  }
}

function refuseUnknown(dialect: string): void {
  try {
    if (dialect !== 'native') rowsFor(dialect);
  } catch (error) {
    const message = (error as Error).message;
    const fault = { field: 'dialect', message, fix: 'Use one of these, auto or native' };
    throw new ConfigurationValidationError(message, { configType: 'proxy', field: 'dialect', faults: [fault] });
  }
}

const nameOf = (upstream: Upstream, model: string): string => `${model} at ${upstreamName(upstream)}`;

const patience = 3000;

/** A chat template, and where the server shows it. */
interface FoundTemplate {
  readonly template: string;
  readonly where: string;
}

/** Where servers show a model's chat template, by the wire that they speak. */
const places = [
  { format: 'ollama', path: () => '/api/show', field: 'template', asks: (model: string) => ({ body: { model } }) },
  {
    format: 'openai-chat',
    path: (model: string) => `/props?model=${encodeURIComponent(model)}`,
    field: 'chat_template',
    asks: () => ({}),
  },
] as const;

/** Asks an upstream for a model's chat template; nothing where it shows none, or not at once. Never throws. */
async function templateOf(
  upstream: Upstream,
  model: string,
  headers: OutgoingHttpHeaders,
): Promise<FoundTemplate | undefined> {
  const base = new URL(upstream.url);
  // Servers of models of one's own show it; hosted ones, which are reached over TLS, do not.
  if (base.protocol !== 'http:') return undefined;
  base.pathname = base.pathname.replace(/\/v1\/?$/, '/');
  for (const { format, path, field, asks } of places) {
    if (!upstream.formats.includes(format)) continue;
    const heard = await fetchJson(endpoint(base, path(model)), { headers, timeout: patience, ...asks(model) });
    const template = pageOf(heard)[field];
    if (typeof template === 'string') return { template, where: path('').replace(/\?.*/, '') };
  }
  return undefined;
}
