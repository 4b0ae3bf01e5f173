/** A word of our own beside `additionalProperties: false`: unknown keys are not refused but stripped. */
export const strips = 'x-strip';
