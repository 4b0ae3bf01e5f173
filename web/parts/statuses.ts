import type { CallStatus } from '../../src/inspect/api.ts';

/** Appearance of a status. Each has a shape of its own, so that color isn't required. */
export interface StatusLook {
  readonly label: string;
  readonly says: string;
  /** In a 16 × 16 box, with the even-odd fill rule. */
  readonly path: string;
}

const disc = 'M8 .8a7.2 7.2 0 1 0 0 14.4A7.2 7.2 0 0 0 8 .8z';

export const statuses: Record<CallStatus, StatusLook> = {
  ok: {
    label: 'OK',
    says: 'Ran as written',
    path: `${disc}M6.9 11.3 3.8 8.2l1.3-1.3 1.8 1.8 4-4.2 1.3 1.3z`,
  },
  mended: {
    label: 'Mended',
    says: 'Ran after repairs',
    path: 'M8 .2 15.8 8 8 15.8.2 8zM7.1 4.6v2.5H4.6v1.8h2.5v2.5h1.8V8.9h2.5V7.1H8.9V4.6z',
  },
  invalid: {
    label: 'Refused',
    says: "Invalid, so it didn't run",
    path: 'M4.9.7h6.2l4.2 4.2v6.2l-4.2 4.2H4.9L.7 11.1V4.9zM5.8 4.6 4.6 5.8 6.8 8l-2.2 2.2 1.2 1.2L8 9.2l2.2 2.2 1.2-1.2L9.2 8l2.2-2.2-1.2-1.2L8 6.8z',
  },
  failed: {
    label: 'Failed',
    says: 'The tool ran and failed',
    path: 'M2.6 1h10.8c.9 0 1.6.7 1.6 1.6v10.8c0 .9-.7 1.6-1.6 1.6H2.6c-.9 0-1.6-.7-1.6-1.6V2.6C1 1.7 1.7 1 2.6 1zM7 3.6v5.6h2V3.6zM7 10.6v2h2v-2z',
  },
  denied: {
    label: 'Denied',
    says: 'Denied by a rule or a person',
    path: `${disc}M4 7v2h8V7z`,
  },
  waiting: {
    label: 'Waiting',
    says: 'Needs approval before it can run',
    path: `${disc}M7.1 3.8v4.7l3.5 2 .8-1.4-2.6-1.5V3.8z`,
  },
  open: {
    label: 'Open',
    says: 'Not checked yet, or still running',
    path: `${disc}M8 2.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6z`,
  },
  unknown: {
    label: 'Unknown',
    says: 'The run ended before the call did',
    path: 'M8 .8 15.6 14.6H.4zM7.2 6v4.2h1.6V6zM7.2 11.4v1.6h1.6v-1.6z',
  },
};

/** The appearance of any status from a server. */
export const lookOf = (status: string): StatusLook =>
  Object.hasOwn(statuses, status) ? statuses[status as CallStatus] : { ...statuses.unknown, label: status };
