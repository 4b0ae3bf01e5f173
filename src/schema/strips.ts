/** Our own keyword next to `additionalProperties: false`: unknown keys are stripped, not rejected. */
export const strips = 'x-strip';
