/** An id for a new run. */
export const newRunId = (): string => `run_${crypto.randomUUID().replaceAll('-', '')}`;
