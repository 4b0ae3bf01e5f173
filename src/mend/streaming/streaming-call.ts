import { stringifyJson } from '../../json/value.ts';
import type { CallPart, FinishReason, OpaquePart, PartStarted, TextPart, TurnEvent } from '../../model/index.ts';
import { findTool } from '../../tools/find-tool.ts';
import type { Policy } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { type Before, type CheckedCall, mendCall } from '../mend-call.ts';
import { ArgumentGate, type GateState } from './argument-gate.ts';
import { jsonSuffix } from './json-suffix.ts';

/** How the calls of a response are checked. */
export interface CheckOptions {
  readonly toolbox: Toolbox;
  readonly policy?: Policy | undefined;
  /** The conversation before the response. */
  readonly before?: Before | undefined;
}

/** How a call is delivered. */
export interface CallDelivery {
  /**
   * Deltas are a preview and only the finished part counts, so a call is announced immediately under the tool's own
   * name.
   */
  readonly preview: boolean;
  /** Check the call but don't change it. */
  readonly dryRun: boolean;
}

/**
 * A call while it streams: how much of its arguments can be sent, when it is checked, and what the receiver still
 * lacks. Events are first processed (`feed`, `finish`, `settle`) and written later; the caller may buffer them in
 * between.
 */
export class StreamingCall {
  readonly index: number;
  /** The complete call as written by the model. */
  complete: CallPart | undefined;
  /** The text that replaces the call. */
  note: TextPart | undefined;
  /** Whether its start was sent. */
  begun = false;
  readonly #options: CheckOptions & CallDelivery;
  readonly #gate: ArgumentGate;
  readonly #name: string;
  #state: GateState;
  #checked: CheckedCall | undefined;
  /** The arguments that were sent, and those that are pending. */
  #sent = '';
  #pending = '';
  /** For a settled call, the text to send instead of the pending one. */
  #rest: string | undefined;

  constructor(index: number, part: CallPart, options: CheckOptions & CallDelivery) {
    const { tool } = findTool(part.name, options.toolbox);
    this.index = index;
    this.#options = options;
    this.#gate = new ArgumentGate(tool?.schema.json);
    this.#name = tool?.name ?? part.name;
    // A name that will be mended must not be sent, unless the mended one is.
    const isNamed = tool !== undefined && (options.preview || tool.name === part.name);
    this.#state = isNamed && (typeof part.arguments === 'string' || part.arguments === undefined) ? 'clear' : 'shut';
  }

  /** The result, once it is final. */
  get checked(): CheckedCall | undefined {
    return this.#checked;
  }

  /** Whether it is sent in a changed form. */
  get changed(): boolean {
    return this.#checked?.changed === true && !this.#options.dryRun && !this.note;
  }

  /** Whether everything so far can be sent. */
  get clear(): boolean {
    return this.#state === 'clear';
  }

  /** Whether the arguments are complete JSON. */
  get ended(): boolean {
    return this.#gate.ended;
  }

  /** Called when another part starts, after which complete arguments can't continue. */
  closeText(): void {
    if (this.ended && this.#state === 'open') this.#state = 'clear';
  }

  /** Processes the next piece of the arguments. */
  feed(text: string): void {
    if (this.#state !== 'shut') this.#state = this.#gate.feed(text);
  }

  /**
   * Processes the complete call. Returns its result, unless that depends on whether the response reaches its token
   * limit directly after it: a mended call would then be refused as truncated.
   *
   * @param isSame whether both results are the same for the receiver
   */
  finish(part: CallPart, isSame: (now: CheckedCall, limited: CheckedCall) => boolean): CheckedCall | undefined {
    this.complete = part;
    // A value may be truncated without showing it.
    if (typeof part.arguments !== 'string') return undefined;
    const now = this.check(part);
    return now.outcome.status === 'ok' || isSame(now, this.check(part, 'length')) ? now : undefined;
  }

  check(part: CallPart, finish?: FinishReason): CheckedCall {
    const { toolbox, policy, before } = this.#options;
    return mendCall(part, toolbox, policy, finish, before);
  }

  /**
   * Sets the final result. Returns the call as it is sent: if its start was sent and contradicts the result, it stays
   * unchanged.
   */
  settle(checked: CheckedCall): CheckedCall {
    const { preview, dryRun } = this.#options;
    const { complete = checked.part } = this;
    this.#checked = checked;
    if (preview) this.#rest = this.#lacking(checked) ?? this.#pending;
    else if (checked.changed && typeof complete.arguments === 'string') {
      this.#rest = this.#lacking(checked);
      if (this.#rest === undefined && !dryRun) this.#checked = { ...checked, part: complete, changed: false };
    }
    return this.#checked;
  }

  /** The text that must follow what was sent; undefined if that isn't the start of the call. */
  #lacking({ part: { arguments: args }, changed, outcome }: CheckedCall): string | undefined {
    if (this.#sent === '') return typeof args === 'string' ? args : stringifyJson(args);
    return changed ? jsonSuffix(this.#sent, outcome.input) : undefined;
  }

  /** The events to send for an event of this call. An unchanged event is sent as it is. */
  write(event: TurnEvent): TurnEvent[] {
    if (event.type === 'part.started') return this.#start(event);
    if (event.type === 'part.delta') {
      this.#pending += event.text;
      return this.#deliver(event);
    }
    if (event.type !== 'part.finished') return [event];
    const { preview } = this.#options;
    if (this.note || (preview && !this.#checked)) return [];
    const part = this.changed || preview ? this.#checked?.part : undefined;
    return [...this.#deliver(), part ? { ...event, part } : event];
  }

  #start(event: PartStarted): TurnEvent[] {
    this.begun = true;
    if (this.note) return noteEvents(this.index, this.note);
    const { preview } = this.#options;
    if (!this.changed && !preview) return [event];
    const { name, arguments: args } = this.#checked?.part ?? { name: this.#name, arguments: '' };
    const begun = preview || typeof args === 'string' ? '' : args;
    return [{ ...event, part: { ...(event.part as CallPart), name, arguments: begun } }, ...this.#deliver()];
  }

  /** The arguments that can be sent now. */
  #deliver(event?: TurnEvent): TurnEvent[] {
    const { preview } = this.#options;
    if (this.note || (preview && !this.#checked && !this.clear)) return [];
    const isRest = this.#checked !== undefined && (this.changed || preview);
    const text = isRest ? (this.#rest ?? '') : this.#pending;
    this.#rest = isRest ? '' : this.#rest;
    this.#pending = '';
    this.#sent += text;
    if (text === '') return [];
    const isSame = !isRest && event?.type === 'part.delta' && event.text === text;
    return isSame ? [event] : [{ type: 'part.delta', index: this.index, text }];
  }
}

/** A call that isn't a function call, such as a custom tool's free text. It can be withheld, but not mended. */
export class OpaqueCall {
  readonly index: number;
  readonly part: OpaquePart;
  complete: OpaquePart | undefined;
  note: TextPart | undefined;

  constructor(index: number, part: OpaquePart) {
    this.index = index;
    this.part = part;
  }

  write(event: TurnEvent): TurnEvent[] {
    if (!this.note) return [event];
    return event.type === 'part.started' ? noteEvents(this.index, this.note) : [];
  }
}

/** The events of a note that replaces a part. */
const noteEvents = (index: number, note: TextPart): TurnEvent[] => [
  { type: 'part.started', index, part: { ...note, text: '' } },
  { type: 'part.delta', index, text: note.text },
  { type: 'part.finished', index, part: note },
];
