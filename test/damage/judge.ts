/** What came of a trial, in one word. */
import { sameJson, type Trial } from './trial.ts';

/** The part of an outcome the table looks at; the library and the command line both give it. */
export interface Answer {
  readonly status: 'ok' | 'mended' | 'invalid';
  readonly name: string;
  readonly input: unknown;
  readonly errorType?: string | undefined;
  readonly repairs: readonly { readonly certainty: string; readonly kind: string }[];
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

/**
 * `recovered`, `refused`: as it should be. `missed`: refused, though one reading existed. `wrong`: accepted, and not what
 * was meant or not to be accepted at all. `mislabelled`: right, but said in a wrong way (status, error type, certainty).
 */
export type Verdict = 'recovered' | 'refused' | 'missed' | 'wrong' | 'mislabelled';

const labelledWell = ({ kind, call, tool }: Trial, answer: Answer): boolean => {
  if (answer.status === 'invalid')
    return answer.problems.length > 0 && (kind.errorType === undefined || kind.errorType === answer.errorType);
  if (answer.repairs.some((repair) => repair.certainty === 'guess')) return false;
  if (kind.expect === 'ok') return answer.status === 'ok' && answer.repairs.length === 0;
  if (answer.status === 'ok') return answer.repairs.length === 0 && call.name === tool.name && !unread(call.arguments);
  return answer.repairs.length > 0;
};

const unread = (sent: unknown): boolean => {
  if (typeof sent !== 'string') return false;
  try {
    JSON.parse(sent);
    return false;
  } catch {
    return true;
  }
};

/** Judges one answer. */
export const judge = (trial: Trial, answer: Answer): Verdict => {
  if (answer.status === 'invalid') {
    if (trial.want === 'recover') return 'missed';
    return trial.want === 'either' || labelledWell(trial, answer) ? 'refused' : 'mislabelled';
  }
  if (trial.want === 'refuse' || answer.name !== trial.tool.name || !sameJson(answer.input, trial.expected))
    return 'wrong';
  return labelledWell(trial, answer) ? 'recovered' : 'mislabelled';
};
