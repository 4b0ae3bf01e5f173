import { argumentsObject } from '../provider/carry.ts';

/**
 * Arguments as a value where their text is exactly what a program writes of one: then a provider's package may have made it
 * of an object, and what was cut off looks complete. Text that the model wrote stays text.
 */
export function asValue(text: string): unknown {
  const value = argumentsObject(text);
  return value !== undefined && JSON.stringify(value) === text ? value : text;
}
