/** A count with its noun: `1 tool`, `2 tools`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
