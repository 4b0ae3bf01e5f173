/** The text, or its first `limit` characters and an ellipsis where it is longer. */
export const clip = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);
