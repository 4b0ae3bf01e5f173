/** A run that was taken from the queue, until it is settled or let go. */
export interface TakenRun {
  readonly job: string;
  /** Which taking of this job it is: whoever was silent for too long finds that it was taken again. */
  readonly claim: number;
  readonly run: string;
}

/**
 * Which runs wait for a worker: every method settles when the database says so. What is said of a run that was given to
 * another worker meanwhile changes nothing, and comes back as false.
 */
export interface RunQueue {
  /** Puts runs in; one that waits or is worked on already is not put in twice. */
  add(runs: readonly string[]): Promise<void>;
  /** Takes as many as there are, up to so many. */
  take(atMost: number): Promise<readonly TakenRun[]>;
  /**
   * Says that the worker of these lives, in one word for all; gives those that are still its own. One that says nothing for
   * so long loses its runs to others.
   */
  touch(taken: readonly TakenRun[]): Promise<readonly TakenRun[]>;
  /** Nothing is left to do for it now. */
  done(taken: TakenRun): Promise<boolean>;
  /** It could not be worked on; it waits for its next try. */
  failed(taken: TakenRun, reason: string): Promise<boolean>;
  close(): Promise<void>;
}
