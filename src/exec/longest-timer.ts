/** The longest time a timer can be set for, in milliseconds. One set for longer goes off at once, so that it must be none. */
export const longestTimer = 2 ** 31 - 1;
