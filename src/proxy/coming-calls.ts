import { ArgumentGate } from '../call/argument-gate.ts';
import { continueJson } from '../call/continue-json.ts';
import { type JudgedCall, judgeCall } from '../call/mended-call.ts';
import { findTool } from '../tool/find-tool.ts';
import type { Policy } from '../tool/policy.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { CallPart, TurnEvent, TurnResponse } from '../turn/turn.ts';
import type { Coming } from './coming.ts';

/** How the calls of a stream are judged, and how they are written. */
export interface ComingCallsOptions {
  readonly toolbox: Toolbox;
  readonly policy?: Policy | undefined;
  /** Judge, and change nothing. */
  readonly live: boolean;
  /** The wire says a call's arguments again when it is whole, and when the answer is: they must be mended there too. */
  readonly repeats: boolean;
}

/** The calls of a stream as they come: how far each may pass, what becomes of it, and how the client is to hear of it. */
export class ComingCalls {
  /** Those that are whole, as they were judged. */
  readonly judged: JudgedCall[] = [];
  readonly #options: ComingCallsOptions;
  readonly #coming = new Map<number, Coming>();
  #changed = false;

  constructor(options: ComingCallsOptions) {
    this.#options = options;
  }

  /** Whether any has begun. */
  get any(): boolean {
    return this.#coming.size > 0;
  }

  /** Whether one goes out other than it came. */
  get changed(): boolean {
    return this.#changed;
  }

  /** Looks at what an event says of a call. */
  look(event: TurnEvent): void {
    if (event.type === 'part.started' && event.part.type === 'call') this.#begin(event.index, event.part);
    else if (event.type === 'part.grew') {
      const coming = this.#coming.get(event.index);
      if (coming && coming.state !== 'shut') coming.state = coming.gate.feed(event.text);
    } else if (event.type === 'part.finished' && event.part.type === 'call') this.#finish(event.index, event.part);
    else if (event.type === 'turn.finished') this.#end(event.response);
  }

  /**
   * Whether a call may still be changed by what comes: then nothing may overtake it, the end least of all.
   *
   * @param goesOn more of the answer came
   */
  mustWait(goesOn: boolean): boolean {
    for (const { state, judged, gate } of this.#coming.values())
      if (!judged && (state !== 'clear' || !(goesOn || gate.ended))) return true;
    return false;
  }

  /** Whether a changed call has begun, and its end is not yet written. */
  changing(): boolean {
    return this.#changed && [...this.#coming.values()].some(({ judged, closed }) => judged?.changed && !closed);
  }

  /** Whether an event says something of a call that is changed. */
  touches(event: TurnEvent): boolean {
    if (!this.#changed) return false;
    const { repeats } = this.#options;
    if (event.type === 'turn.finished') return repeats;
    if (!('index' in event) || (event.type === 'part.finished' && !repeats)) return false;
    return this.#coming.get(event.index)?.judged?.changed === true;
  }

  /** Notes that an event goes out as it came. */
  passed(event: TurnEvent): void {
    const coming = event.type === 'part.grew' ? this.#coming.get(event.index) : undefined;
    if (coming && event.type === 'part.grew') coming.sent += event.text;
  }

  /** An event as the client is to hear it. */
  asSent(event: TurnEvent): TurnEvent[] {
    if (event.type === 'turn.finished') return [{ ...event, response: this.#mended(event.response) }];
    const coming = 'index' in event ? this.#coming.get(event.index) : undefined;
    if (!coming || !('index' in event) || !this.#changed || !coming.judged?.changed) {
      this.passed(event);
      return [event];
    }
    if (event.type === 'part.grew') return this.#lacking(event.index, coming);
    if (event.part.type !== 'call') return [event];
    const { part } = coming.judged;
    if (event.type === 'part.finished') {
      coming.closed = true;
      return [{ ...event, part }];
    }
    const begun = typeof part.arguments === 'string' ? '' : part.arguments;
    const start: TurnEvent = { ...event, part: { ...event.part, name: part.name, arguments: begun } };
    return [start, ...this.#lacking(event.index, coming)];
  }

  /** What changed calls lack at their end and none of these events stands for. */
  missing(events: readonly TurnEvent[]): TurnEvent[] {
    if (!this.#changed) return [];
    const lacking = [...this.#coming].filter(([, { rest }]) => rest);
    if (lacking.length === 0) return [];
    // Where a call waits from its beginning or with its pieces, the first of these brings it.
    const comes = events.filter(({ type }) => type === 'part.started' || type === 'part.grew');
    const brought = new Set(comes.map((event) => ('index' in event ? event.index : -1)));
    return lacking.flatMap(([index, coming]) => (brought.has(index) ? [] : this.#lacking(index, coming)));
  }

  /** All that is missing of a text follows the call's beginning, or takes the place of the first piece that was held. */
  #lacking(index: number, coming: Coming): TurnEvent[] {
    const { rest } = coming;
    coming.rest = '';
    return rest ? [{ type: 'part.grew', index, text: rest }] : [];
  }

  #begin(index: number, { name, arguments: given }: CallPart): void {
    const found = findTool(name, this.#options.toolbox);
    // Those before it are whole: nothing more of them comes.
    for (const before of this.#coming.values())
      if (before.gate.ended && before.state === 'open') before.state = 'clear';
    const gate = new ArgumentGate(found.tool?.schema.json);
    // A name that will be mended must not go out before.
    const state =
      found.tool?.name !== name || (typeof given !== 'string' && given !== undefined)
        ? 'shut'
        : given
          ? gate.feed(given)
          : 'clear';
    this.#coming.set(index, { gate, state, sent: '' });
  }

  /** A call is whole. One that would be refused had the answer run into its limit waits until that is known. */
  #finish(index: number, part: CallPart): void {
    const coming = this.#coming.get(index);
    if (!coming) return;
    coming.whole = part;
    const { toolbox, policy } = this.#options;
    const judged = judgeCall(part, toolbox, policy);
    const sure = !judged.changed || judgeCall(part, toolbox, policy, 'length').changed;
    if (sure) this.#settle(coming, judged);
  }

  #end(response: TurnResponse): void {
    const { toolbox, policy } = this.#options;
    const last = Math.max(-1, ...this.#coming.keys());
    for (const [index, coming] of this.#coming) {
      const { whole, judged } = coming;
      // A bad call goes out as it came whatever the end; what is wrong with it may be that it was cut off.
      if (!whole || (judged && judged.outcome.status !== 'invalid')) continue;
      const anew = judgeCall(whole, toolbox, policy, index === last ? response.finish : undefined);
      if (judged) this.judged.splice(this.judged.indexOf(judged), 1, anew);
      else this.#settle(coming, anew);
    }
  }

  #settle(coming: Coming, judged: JudgedCall): void {
    const { live } = this.#options;
    const { whole = judged.part } = coming;
    const isText = judged.changed && typeof whole.arguments === 'string';
    const rest = isText ? restOf(coming.sent, judged) : undefined;
    // Where what went out says something else already, the call goes on as it came.
    const late = isText && rest === undefined && !live;
    coming.judged = late ? { ...judged, part: whole, changed: false } : judged;
    if (rest !== undefined) coming.rest = rest;
    this.judged.push(coming.judged);
    if (coming.judged.changed && !live) this.#changed = true;
  }

  #mended(response: TurnResponse): TurnResponse {
    if (!this.#changed) return response;
    const parts = response.message.parts.map((part, index) => this.#coming.get(index)?.judged?.part ?? part);
    return { ...response, message: { ...response.message, parts } };
  }
}

/** What is still to be sent of a mended call; nothing where what went out is no beginning of it. */
const restOf = (sent: string, { part, outcome }: JudgedCall): string | undefined =>
  sent === '' ? String(part.arguments) : continueJson(sent, outcome.input);
