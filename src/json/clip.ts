/** Shortens a text to `limit` characters plus an ellipsis. */
export const clip = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);
