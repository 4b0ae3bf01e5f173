/** What was typed on the try-it page. All of it goes into the link. */
export interface Typed {
  readonly text: string;
  /** Tool definitions as JSON text. */
  readonly tools: string;
  /** How the text is read: `auto`, a dialect's name, or `args:TOOL` for the arguments of one call alone. */
  readonly as: string;
  /** The message ended by the token limit. */
  readonly cut: boolean;
}

/** Whether something that came by link is one. */
export const isTyped = (value: unknown): value is Typed => {
  const { text, tools, as, cut } = (value ?? {}) as Partial<Typed>;
  return typeof text === 'string' && typeof tools === 'string' && typeof as === 'string' && typeof cut === 'boolean';
};
