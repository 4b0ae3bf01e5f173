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

/** How a call reaches its receiver. */
export interface CallDelivery {
  /** Deltas are a preview and the finished part counts, so that a call is announced at once, under the tool's own name. */
  readonly preview: boolean;
  /** Check the call and leave it as it is. */
  readonly dryRun: boolean;
}

/**
 * One call while it streams: how much of its argument text may go out, when it is checked for good, and what the receiver still
 * lacks. Events are first taken in (`feed`, `finish`, `settle`) and later written; in between the caller may buffer them.
 */
export class StreamingCall {
  readonly index: number;
  /** The call as the model wrote it, once all of it arrived. */
  complete: CallPart | undefined;
  /** The text that goes out in its place. */
  note: TextPart | undefined;
  /** Its beginning went out. */
  begun = false;
  readonly #options: CheckOptions & CallDelivery;
  readonly #gate: ArgumentGate;
  readonly #name: string;
  #state: GateState;
  #checked: CheckedCall | undefined;
  /** The argument text that the receiver has, and what was written since and waits. */
  #sent = '';
  #pending = '';
  /** What the receiver lacks of a settled call in place of the pending text. */
  #rest: string | undefined;

  constructor(index: number, part: CallPart, options: CheckOptions & CallDelivery) {
    const { tool } = findTool(part.name, options.toolbox);
    this.index = index;
    this.#options = options;
    this.#gate = new ArgumentGate(tool?.schema.json);
    this.#name = tool?.name ?? part.name;
    // A name that will be mended must not go out, unless the mended one does.
    const isNamed = tool !== undefined && (options.preview || tool.name === part.name);
    this.#state = isNamed && (typeof part.arguments === 'string' || part.arguments === undefined) ? 'clear' : 'shut';
  }

  /** What became of the call, once nothing that follows can change that. */
  get checked(): CheckedCall | undefined {
    return this.#checked;
  }

  /** Whether it goes out other than it came. */
  get changed(): boolean {
    return this.#checked?.changed === true && !this.#options.dryRun && !this.note;
  }

  /** Whether all that came of it may go out. */
  get clear(): boolean {
    return this.#state === 'clear';
  }

  /** Whether its argument text is complete JSON. */
  get ended(): boolean {
    return this.#gate.ended;
  }

  /** Another part began, so that argument text which is complete JSON does not go on. */
  closeText(): void {
    if (this.ended && this.#state === 'open') this.#state = 'clear';
  }

  /** Takes the next piece of argument text. */
  feed(text: string): void {
    if (this.#state !== 'shut') this.#state = this.#gate.feed(text);
  }

  /**
   * Takes the complete call. Returns how to settle it, unless that depends on whether the response ran into its token limit
   * right after it: a call that is mended now would then be refused as truncated.
   *
   * @param isSame whether both checks come to the same for the receiver
   */
  finish(part: CallPart, isSame: (now: CheckedCall, limited: CheckedCall) => boolean): CheckedCall | undefined {
    this.complete = part;
    // A value may be the beginning of one, and nothing in it shows that.
    if (typeof part.arguments !== 'string') return undefined;
    const now = this.check(part);
    return now.outcome.status === 'ok' || isSame(now, this.check(part, 'length')) ? now : undefined;
  }

  check(part: CallPart, finish?: FinishReason): CheckedCall {
    const { toolbox, policy, before } = this.#options;
    return mendCall(part, toolbox, policy, finish, before);
  }

  /** Fixes what goes out. Returns the call as it does: one whose beginning went out and says something else stays as it came. */
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

  /** The argument text that must follow what was sent; undefined where that is no beginning of the call. */
  #lacking({ part: { arguments: args }, changed, outcome }: CheckedCall): string | undefined {
    if (this.#sent === '') return typeof args === 'string' ? args : JSON.stringify(args);
    return changed ? jsonSuffix(this.#sent, outcome.input) : undefined;
  }

  /** What goes out for an event of this call: the event itself where nothing is changed. */
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

  /** The argument text that can go out now. */
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

/** A call of the receiver's own kind, such as a custom tool's free text: it can be withheld, and not mended. */
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

/** A note that goes out in the place of a part. */
const noteEvents = (index: number, note: TextPart): TurnEvent[] => [
  { type: 'part.started', index, part: { ...note, text: '' } },
  { type: 'part.delta', index, text: note.text },
  { type: 'part.finished', index, part: note },
];
