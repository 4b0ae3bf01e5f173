const letterOrDigit = /[\p{L}\p{N}]/u;

/** Whether a call's name can mean a tool at all: one without a letter or a digit can't. */
export const isNameable = (name: string): boolean => letterOrDigit.test(name);
