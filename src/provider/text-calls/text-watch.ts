import { CallReader, type ReadCallsOptions } from '../../dialect/call-reader.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { TurnEvent } from '../../model/index.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { areMeant } from './text-calls.ts';

/** A thought's end stands in the text that was passed on, and belongs to what was. */
const thoughtEnd = /^\s*<\/think(?:ing)?>/;

/**
 * Reads the words of a stream as they pass, and tells while they must wait: where a call may have begun, and from the first
 * call on until the end, because only then it is known that no native call follows and says the same.
 */
export class TextWatch {
  readonly #reader: CallReader;
  readonly #texts = new Set<number>();
  readonly #open = new Set<number>();
  #off = false;
  /** Text that came since frames wait, and what of it was found to be no call before the first call, and behind it. */
  #waiting = '';
  #said: string[] = [];
  #after = '';
  #called = false;

  constructor(toolbox: Toolbox, options: ReadCallsOptions) {
    this.#reader = new CallReader(toolbox, options);
  }

  /** Whether frames must wait for what comes. */
  get waits(): boolean {
    return !this.#off && (this.#called || this.#reader.undecided);
  }

  /** Parts that have begun and not ended. */
  get open(): ReadonlySet<number> {
    return this.#open;
  }

  get dialect(): string | undefined {
    return this.#reader.dialect;
  }

  /** The calls in the words, once the turn is over; none where no call is meant. */
  get calls(): readonly Outcome[] {
    return !this.#off && areMeant(this.#reader.calls) ? this.#reader.calls : [];
  }

  /** Takes what a frame said. */
  take(events: readonly TurnEvent[]): void {
    if (this.#off) return;
    if (!this.waits) {
      this.#waiting = '';
      this.#said = [];
    }
    for (const event of events) this.#look(event);
  }

  /** What is left of the words that wait, without the calls. */
  words(): string {
    let end = 0;
    for (const piece of this.#said) {
      const at = this.#waiting.indexOf(piece, end);
      if (at >= 0) end = at + piece.length;
    }
    end += thoughtEnd.exec(this.#waiting.slice(end))?.[0].length ?? 0;
    return this.#waiting.slice(0, end) + (/\S/.test(this.#after) ? this.#after : '');
  }

  #look(event: TurnEvent): void {
    if (event.type === 'part.finished') this.#open.delete(event.index);
    if (event.type === 'part.started') {
      this.#open.add(event.index);
      if (event.part.type === 'call') this.#off = true;
      else if (event.part.type === 'text') {
        this.#texts.add(event.index);
        this.#read(event.part.text);
      }
    } else if (event.type === 'part.delta' && this.#texts.has(event.index)) this.#read(event.text);
    else if (event.type === 'turn.finished')
      this.#hear(this.#reader.end({ truncated: event.response.finish === 'length' }));
    else if (event.type === 'turn.failed') this.#off = true;
  }

  #read(text: string): void {
    if (text === '' || this.#off) return;
    this.#waiting += text;
    this.#hear(this.#reader.push(text));
  }

  #hear(events: ReturnType<CallReader['push']>): void {
    for (const event of events) {
      if (event.type === 'call.started' || event.type === 'call.finished') this.#called = true;
      else if (event.type === 'call.delta') continue;
      else if (!this.#called) this.#said.push(event.text);
      else if (event.type === 'text') this.#after += event.text;
    }
  }
}
