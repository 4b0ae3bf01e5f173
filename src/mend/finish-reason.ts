/** Substrings, because gateways spell the same ends in many ways: `MAX_TOKENS`, `max-output-tokens`, `model_length`. */
const limits = /length|max.*token|token.*limit|incomplete|truncat|context.*window/i;

/** Whether a finish reason, in the words of any provider, says that the message ended by length. */
export const endedByLength = (reason: unknown): boolean => typeof reason === 'string' && limits.test(reason);

/** Whether it says that the message ended before its model was done: by length, by a filter or by a fault. */
export const endedEarly = (reason: unknown): boolean =>
  endedByLength(reason) || (typeof reason === 'string' && /^(content_?)?filter|^error$|abort/i.test(reason));
