/** Fields in which servers report tokens. */
const counts: ReadonlyMap<string, 'input' | 'output' | 'total'> = new Map([
  ...(['prompt_tokens', 'input_tokens', 'prompt_eval_count', 'promptTokenCount'] as const).map(
    (name) => [name, 'input'] as const,
  ),
  ...(['completion_tokens', 'output_tokens', 'eval_count', 'candidatesTokenCount'] as const).map(
    (name) => [name, 'output'] as const,
  ),
  ...(['total_tokens', 'totalTokenCount'] as const).map((name) => [name, 'total'] as const),
]);

/** Fields with text of a model. */
const texts: ReadonlySet<string> = new Set([
  'text',
  'content',
  'response',
  'completion',
  'generated_text',
  'thinking',
  'reasoning',
  'reasoning_content',
  'arguments',
  'partial_json',
  'delta',
]);

/** Longer strings aren't names of these fields. */
const longestName = 24;

const [quote, backslash, colon, dot] = [0x22, 0x5c, 0x3a, 0x2e];
const [zero, nine] = [0x30, 0x39];
/** Spaces, which can stand between a name and its colon. */
const isSpace = (char: number): boolean => char === 0x20 || char === 0x09 || char === 0x0a || char === 0x0d;

/**
 * Finds the tokens in a response that is forwarded unread, whatever its API: those that it reports, and the length of its
 * text. Scans the bytes of JSON, of lines of it and of events, without keeping them.
 */
export class UnreadUsage {
  readonly #reported: { input?: number; output?: number; total?: number } = {};
  #inString = false;
  #escaped = false;
  /** The last string, as far as it can be a name, and its length. It is a name if a colon follows. */
  #word = '';
  #size = 0;
  #isOpen = false;
  #name = '';
  #number = -1;
  /** Bytes of the model's text. */
  textBytes = 0;

  feed(chunk: Uint8Array): void {
    for (const char of chunk) {
      if (this.#inString) this.#inText(char);
      else this.#between(char);
    }
  }

  /** Reported input tokens. */
  get input(): number | undefined {
    const { input, output, total } = this.#reported;
    return input ?? (total === undefined ? undefined : Math.max(0, total - (output ?? 0)));
  }

  /** Reported output tokens. */
  get output(): number | undefined {
    const { input, output, total } = this.#reported;
    return output ?? (total === undefined || input === undefined ? undefined : Math.max(0, total - input));
  }

  #inText(char: number): void {
    if (char === quote && !this.#escaped) {
      this.#inString = false;
      this.#isOpen = true;
      return;
    }
    this.#escaped = char === backslash && !this.#escaped;
    if (this.#escaped) return;
    this.#size += 1;
    if (this.#size <= longestName) this.#word += String.fromCharCode(char);
  }

  #between(char: number): void {
    if (char >= zero && char <= nine) {
      this.#number = Math.max(0, this.#number) * 10 + char - zero;
      return;
    }
    if (isSpace(char)) return;
    if (this.#isOpen) {
      this.#isOpen = false;
      if (char === colon) this.#name = this.#size <= longestName ? this.#word : '';
      else if (texts.has(this.#name)) this.textBytes += this.#size;
    }
    if (this.#number >= 0 && char !== dot) {
      const kind = counts.get(this.#name);
      // Streams report the tokens so far.
      if (kind) this.#reported[kind] = Math.max(this.#reported[kind] ?? 0, this.#number);
    }
    this.#number = -1;
    if (char !== quote) return;
    this.#inString = true;
    this.#word = '';
    this.#size = 0;
  }
}
