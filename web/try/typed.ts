/** The input of the try-it page, which links contain. */
export interface Typed {
  readonly text: string;
  /** Tool definitions as JSON text. */
  readonly tools: string;
  /** How to read the text: `auto`, the name of a dialect, or `args:TOOL` for the arguments of one call. */
  readonly as: string;
  /** Whether the message reached the token limit. */
  readonly cut: boolean;
}

/** Whether the content of a link is valid. */
export const isTyped = (value: unknown): value is Typed => {
  const { text, tools, as, cut } = (value ?? {}) as Partial<Typed>;
  return typeof text === 'string' && typeof tools === 'string' && typeof as === 'string' && typeof cut === 'boolean';
};
