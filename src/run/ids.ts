/** The key a call's tool runs under: the same for every run of one call, however often its process ended. */
export const callKey = (run: string, callId: string): string => `${run}/${callId}`;

/** An id for a new run. */
export const newRunId = (): string => `run_${crypto.randomUUID().replaceAll('-', '')}`;
