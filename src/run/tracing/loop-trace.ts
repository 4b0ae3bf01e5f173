import type { Attributes, Context, Span, SpanKind } from '@opentelemetry/api';
import type { MessageAdded, RunEnd, RunEvent, ToolFinished, ToolStarted, TurnRequested } from '../../log/events.ts';
import type { RunState } from '../../log/state.ts';
import { callListeners } from '../../log/subscribe.ts';
import type { Message, Usage } from '../../model/index.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import {
  instructionsText,
  isFailure,
  messagesText,
  requestAttributes,
  responseAttributes,
  responseText,
  settingAttributes,
  usageAttributes,
} from './attributes.ts';
import { type OpenTelemetry, openTelemetry, type Tracer } from './open-telemetry.ts';

/** Options for OpenTelemetry traces. */
export interface TraceOptions {
  /**
   * Creates the spans.
   * @default the global tracer of `@opentelemetry/api`; without that package or a tracer, no spans are created
   */
  readonly tracer?: Tracer;
  /** Name of the agent. */
  readonly name?: string;
  /**
   * Whether spans contain messages, arguments and results, with secrets removed.
   * @default false
   */
  readonly content?: boolean;
}

/** What a trace needs to know about its run. */
export interface Traced {
  readonly state: RunState;
  readonly model: { readonly name: string; readonly provider: string };
  readonly toolbox: Toolbox;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The conversation as the model sees it. */
  readonly messages: () => Message[];
  readonly redact: ((event: RunEvent) => RunEvent) | undefined;
}

/**
 * The spans of a loop, following the conventions for generative AI: `invoke_agent` for the loop, `chat` for each turn
 * and `execute_tool` for each tool run. Created from the run's events.
 */
export class LoopTrace {
  readonly #api: OpenTelemetry;
  readonly #tracer: Tracer;
  readonly #options: TraceOptions;
  readonly #run: Traced;
  readonly #loop: Span;
  readonly #within: Context;
  #isRecording = true;
  readonly #calls = new Map<string, Span>();
  readonly #before: Usage;
  readonly #costBefore: number | undefined;
  #turn: Span | undefined;

  /** The trace of a loop; undefined if `@opentelemetry/api` isn't installed. */
  static start(options: TraceOptions, run: Traced): LoopTrace | undefined {
    const api = openTelemetry();
    let trace: LoopTrace | undefined;
    if (api)
      safely(() => {
        trace = new LoopTrace(api, options, run);
        trace.#isRecording = trace.#loop.isRecording();
      });
    return trace;
  }

  private constructor(api: OpenTelemetry, options: TraceOptions, run: Traced) {
    this.#api = api;
    this.#options = options;
    this.#run = run;
    this.#tracer = options.tracer ?? api.trace.getTracer('toolmend');
    this.#before = run.state.usage;
    this.#costBefore = run.state.cost;
    const { name } = options;
    const attributes = { ...this.#asked('invoke_agent'), ...(name !== undefined && { 'gen_ai.agent.name': name }) };
    const title = name === undefined ? 'invoke_agent' : `invoke_agent ${name}`;
    this.#loop = this.#tracer.startSpan(title, { kind: api.SpanKind.INTERNAL, attributes }) as Span;
    this.#within = api.trace.setSpan(api.context.active(), this.#loop);
  }

  /** Runs the loop within its span. */
  within<T>(work: () => T): T {
    return this.#api.context.with(this.#within, work);
  }

  /** Runs a turn within its span. */
  withinTurn<T>(work: () => T): T {
    return this.#under(this.#turn, work);
  }

  withinCall<T>(callId: string, work: () => T): T {
    return this.#under(this.#calls.get(callId), work);
  }

  hear(event: RunEvent): void {
    // Without a tracer of the program, spans record nothing, and a run has many events.
    if (this.#isRecording) safely(() => this.#hear(event));
  }

  #hear(event: RunEvent): void {
    if (!this.#loop.isRecording()) return;
    if (event.type === 'turn.requested') this.#ask(event);
    else if (event.type === 'turn.completed' || event.type === 'turn.failed') this.#answer(this.#clean(event));
    else if (event.type === 'tool.started') this.#start(this.#clean(event));
    else if (event.type === 'tool.finished') this.#finish(this.#clean(event));
  }

  end({ end, message }: { readonly end: RunEnd; readonly message: string }): void {
    // Ends spans that were open when the log failed.
    for (const span of [this.#turn, ...this.#calls.values()]) safely(() => span?.end());
    safely(() => this.#end(end, message));
    safely(() => this.#loop.end());
  }

  #end(end: RunEnd, message: string): void {
    const { state } = this.#run;
    const repairs = [...state.calls.values()].reduce((sum, call) => sum + call.repairs.length, 0);
    this.#loop.setAttributes({
      'toolmend.run.end': end,
      'toolmend.run.steps': state.turn,
      'toolmend.run.repairs': repairs,
      ...(state.cost !== undefined && { 'toolmend.cost': state.cost - (this.#costBefore ?? 0) }),
      ...usageAttributes(less(this.#run.state.usage, this.#before)),
    });
    if (isFailure(end)) this.#fail(this.#loop, end, message);
  }

  #ask(event: RunEvent<TurnRequested>): void {
    const { settings, state, messages } = this.#run;
    const model = event.model ?? this.#run.model;
    const attributes = { ...this.#asked('chat', model), ...settingAttributes(settings) };
    this.#turn = this.#begin(`chat ${model.name}`, this.#api.SpanKind.CLIENT, attributes);
    if (!this.#options.content) return;
    const instructions = state.started && this.#clean({ ...event, ...state.started }).instructions;
    if (instructions !== undefined)
      this.#turn.setAttribute('gen_ai.system_instructions', instructionsText(instructions));
    const shown = messages().map((message) => this.#clean({ ...event, ...asAdded(message) }).message);
    this.#turn.setAttribute('gen_ai.input.messages', messagesText(shown));
  }

  #answer(event: Extract<RunEvent, { type: 'turn.completed' | 'turn.failed' }>): void {
    const span = this.#turn;
    this.#turn = undefined;
    if (!span) return;
    span.setAttributes(responseAttributes(event.response));
    if (event.cost !== undefined) span.setAttribute('toolmend.cost', event.cost);
    if (this.#options.content) span.setAttribute('gen_ai.output.messages', responseText(event.response));
    if (event.type === 'turn.failed') this.#fail(span, event.error.code ?? event.error.kind, event.error.message);
    span.end();
  }

  #start({ callId, name, input }: ToolStarted): void {
    const description = this.#run.toolbox.get(name)?.description;
    const kinds = this.#run.state.calls.get(callId)?.repairs.map(({ kind }) => kind) ?? [];
    const span = this.#begin(`execute_tool ${name}`, this.#api.SpanKind.INTERNAL, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
      ...(description !== undefined && { 'gen_ai.tool.description': description }),
      ...(kinds.length > 0 && { 'toolmend.call.repairs': kinds }),
    });
    this.#calls.set(callId, span);
    if (this.#options.content) span.setAttribute('gen_ai.tool.call.arguments', JSON.stringify(input) ?? '');
  }

  #finish({ callId, ok, errorType, error, result }: ToolFinished): void {
    const span = this.#calls.get(callId);
    this.#calls.delete(callId);
    if (!span) return;
    if (this.#options.content) span.setAttribute('gen_ai.tool.call.result', JSON.stringify(result.content));
    // The tool's error message may contain its input.
    if (!ok) this.#fail(span, errorType ?? '_OTHER', this.#options.content ? error : undefined);
    span.end();
  }

  #begin(name: string, kind: SpanKind, attributes: Attributes): Span {
    return this.#tracer.startSpan(name, { kind, attributes }, this.#within) as Span;
  }

  #asked(operation: string, model = this.#run.model): Attributes {
    const { state } = this.#run;
    return { 'gen_ai.operation.name': operation, ...requestAttributes(state.run, model) };
  }

  #under<T>(span: Span | undefined, work: () => T): T {
    const { context, trace } = this.#api;
    return span ? context.with(trace.setSpan(this.#within, span), work) : work();
  }

  #fail(span: Span, type: string, message?: string): void {
    span.setAttribute('error.type', type);
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
  }

  /** The event without secrets, if content is traced. */
  #clean<E extends RunEvent>(event: E): E {
    const { redact } = this.#run;
    return this.#options.content && redact ? (redact(event) as E) : event;
  }
}

/** Does work with a tracer of the program, whose errors must not stop the run. */
const safely = (work: () => void): void => callListeners([work], undefined);

/** Wraps a message in the event that adds it, because redaction works on events. */
const asAdded = (message: Message): MessageAdded => ({
  type: 'message.added',
  message: message as MessageAdded['message'],
});

const less = (after: Usage, before: Usage): Usage => {
  const { input = 0, output = 0 } = before;
  return {
    ...(after.input !== undefined && { input: after.input - input }),
    ...(after.output !== undefined && { output: after.output - output }),
  };
};
