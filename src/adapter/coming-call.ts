import { ArgumentGate, type GateState } from '../call/argument-gate.ts';
import { continueJson } from '../call/continue-json.ts';
import { type JudgedCall, mendCall } from '../call/mended-call.ts';
import { findTool } from '../tool/find-tool.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { CallPart, FinishReason, TurnEvent } from '../turn/turn.ts';
import type { AnswerOptions } from './mend-options.ts';

/** A call that is coming: what of it was passed on, and what waits. */
export class StreamingCall {
  readonly #index: number;
  readonly #begun: CallPart;
  readonly #toolbox: Toolbox;
  readonly #options: AnswerOptions;
  readonly #gate: ArgumentGate;
  #state: GateState;
  #sent = '';
  #held = '';
  #whole: CallPart | undefined;
  #settled: CallPart | undefined;

  constructor(index: number, part: CallPart, toolbox: Toolbox, options: AnswerOptions) {
    const { tool } = findTool(part.name, toolbox);
    this.#index = index;
    this.#begun = tool ? { ...part, name: tool.name } : part;
    this.#toolbox = toolbox;
    this.#options = options;
    this.#gate = new ArgumentGate(tool?.schema.json);
    this.#state = tool ? 'clear' : 'shut';
  }

  /** The call as it goes out, once that is known. */
  get part(): CallPart | undefined {
    return this.#settled;
  }

  /** Its name is told at once, as the tool has it. */
  begin(): TurnEvent[] {
    const { arguments: given } = this.#begun;
    const text = typeof given === 'string' ? given : '';
    return [
      { type: 'part.started', index: this.#index, part: { ...this.#begun, arguments: '' } },
      ...(text ? this.grow(text) : []),
    ];
  }

  grow(text: string): TurnEvent[] {
    this.#held += text;
    if (this.#state !== 'shut') this.#state = this.#gate.feed(text);
    if (this.#state !== 'clear') return [];
    const out = this.#held;
    this.#sent += out;
    this.#held = '';
    return this.#grown(out);
  }

  /**
   * All of it came. A call that would be refused had the answer run into its limit waits until that is known, and one that is
   * refused in any case does too, since it is told why.
   */
  whole(part: CallPart): TurnEvent[] {
    this.#whole = part;
    // A value may be the beginning of one, where the answer ended by length right behind it.
    if (typeof part.arguments !== 'string') return [];
    const judged = this.#judge(part, undefined);
    const { status } = judged.outcome;
    const sure = status === 'ok' || this.#judge(part, 'length').changed;
    return sure ? this.#settle(judged) : [];
  }

  /** @param found what the end of the answer showed of it */
  settle(finish: FinishReason | undefined, found?: CallPart['found']): TurnEvent[] {
    if (!this.#whole || this.#settled) return [];
    return this.#settle(this.#judge(found ? { ...this.#whole, found } : this.#whole, finish));
  }

  #judge(part: CallPart, finish: FinishReason | undefined): JudgedCall {
    return mendCall(part, this.#toolbox, this.#options.policy, finish, this.#options.context);
  }

  #settle(judged: JudgedCall): TurnEvent[] {
    this.#options.onCall?.(judged);
    this.#settled = judged.part;
    const { arguments: given } = judged.part;
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const rest = judged.changed ? (continueJson(this.#sent, judged.outcome.input) ?? this.#held) : this.#held;
    const missing = this.#sent === '' ? text : rest;
    return [...this.#grown(missing), { type: 'part.finished', index: this.#index, part: judged.part }];
  }

  #grown(text: string): TurnEvent[] {
    return text === '' ? [] : [{ type: 'part.grew', index: this.#index, text }];
  }
}
