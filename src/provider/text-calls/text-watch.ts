import { CallReader, type ReadCallsOptions } from '../../dialect/call-reader.ts';
import { allowsTextCalls } from '../../mend/finish-reason.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { TurnEvent } from '../../model/index.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { areMeant } from './text-calls.ts';

/** The end of reasoning in the text that was passed on; it belongs to the preceding text. */
const thoughtEnd = /^\s*<\/think(?:ing)?>/;

/**
 * Reads the text of a stream, and reports when its frames must be buffered: while a call may have started, and from the
 * first call to the end, because a native call may still follow and repeat it.
 */
export class TextWatch {
  readonly #reader: CallReader;
  readonly #texts = new Set<number>();
  readonly #open = new Set<number>();
  #off = false;
  /** The text since buffering started, the text before the first call, and the text after it. */
  #waiting = '';
  #said: string[] = [];
  #after = '';
  #called = false;
  #spoke = false;

  constructor(toolbox: Toolbox, options: ReadCallsOptions) {
    this.#reader = new CallReader(toolbox, options);
  }

  /** Whether frames must be buffered. */
  get waits(): boolean {
    return !this.#off && (this.#called || this.#reader.undecided);
  }

  /** Whether text was passed on before the buffered text. */
  get spoke(): boolean {
    return this.#spoke;
  }

  /** Parts that have started and not finished. */
  get open(): ReadonlySet<number> {
    return this.#open;
  }

  get dialect(): string | undefined {
    return this.#reader.dialect;
  }

  /** The calls in the text once the turn is over; empty if no tool can run them. */
  get calls(): readonly Outcome[] {
    return !this.#off && areMeant(this.#reader.calls) ? this.#reader.calls : [];
  }

  /** Processes the events of a frame. */
  take(events: readonly TurnEvent[]): void {
    if (this.#off) return;
    if (!this.waits) {
      this.#spoke ||= /\S/.test(this.#waiting);
      this.#waiting = '';
      this.#said = [];
    }
    for (const event of events) this.#look(event);
  }

  /** The buffered text without the calls. */
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
    else if (event.type === 'turn.finished' && allowsTextCalls(event.response.finish))
      this.#hear(this.#reader.end({ truncated: event.response.finish === 'length' }));
    else if (event.type === 'turn.finished' || event.type === 'turn.failed') this.#off = true;
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
