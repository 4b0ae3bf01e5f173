/** Every way a loop ends. */
export const runEnds = {
  done: 'The model answered without calling a tool',
  refused: 'The model declined to answer',
  filtered: 'The provider held the answer back',
  length: 'The answer reached the token limit before it was whole',
  empty: 'The model kept answering with nothing',
  invalid_calls: 'The model made no valid call in the turns it had',
  repeated_calls: 'The model kept making the same call',
  steps: 'The run used all its turns',
  tokens: 'The run used all its tokens',
  time: 'The run used all its time',
  model: 'The model could not be reached, or failed',
  awaiting_approval: 'A call waits for somebody to allow it',
  aborted: 'The run was stopped',
  storage: 'The log could not be written, so the run stopped where it was',
} as const;

/** How a loop ended. */
export type RunEnd = keyof typeof runEnds;
