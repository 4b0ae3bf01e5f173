/** Another writer has written this event of the run: whoever gets this must stop writing it. */
export class SequenceTaken extends Error {
  override readonly name = 'SequenceTaken';
  readonly run: string;
  readonly seq: number;

  constructor(run: string, seq: number) {
    super(`Run ${run} already has an event ${seq}: another process writes it. Read the run again before going on.`);
    this.run = run;
    this.seq = seq;
  }
}
