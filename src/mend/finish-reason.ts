/** Substrings, because gateways spell these reasons in many ways: `MAX_TOKENS`, `max-output-tokens`, `model_length`. */
const limits = /length|max.*token|token.*limit|incomplete|truncat|context.*window/i;

/** Whether a finish reason of any provider means that the message reached its length limit. */
export const endedByLength = (reason: unknown): boolean => typeof reason === 'string' && limits.test(reason);

/** Whether a finish reason means that the message is incomplete: length, filter or error. */
export const endedEarly = (reason: unknown): boolean =>
  endedByLength(reason) || (typeof reason === 'string' && /^(content_?)?filter|^error$|abort/i.test(reason));
