import type { CallStatus } from '../../src/inspect/api.ts';
import type {
  ApprovalDecided,
  ApprovalRequested,
  CallAccepted,
  CallDenied,
  CallMended,
  CallRefused,
  CallSettled,
  ResultReceived,
  ResultRequested,
  RunEvent,
  ToolFinished,
  ToolOrphaned,
  ToolStarted,
} from '../../src/log/events.ts';
import type { CallPart } from '../../src/model/index.ts';

/** All events of a call, by kind. */
export interface CallStory {
  readonly callId: string;
  readonly turn: number;
  /** As written by the model; undefined until it is complete. */
  call?: CallPart;
  judged?: RunEvent<CallAccepted | CallMended | CallRefused>;
  asked?: RunEvent<ApprovalRequested>;
  given?: RunEvent<ApprovalDecided>;
  denied?: RunEvent<CallDenied>;
  started?: RunEvent<ToolStarted>;
  waiting?: RunEvent<ResultRequested>;
  received?: RunEvent<ResultReceived>;
  finished?: RunEvent<ToolFinished>;
  orphaned?: RunEvent<ToolOrphaned>;
  settled?: RunEvent<CallSettled>;
}

type Slot = Exclude<keyof CallStory, 'callId' | 'turn' | 'call'>;

/** The field for each kind of event. */
export const slots: Readonly<Partial<Record<RunEvent['type'], Slot>>> = {
  'call.accepted': 'judged',
  'call.mended': 'judged',
  'call.refused': 'judged',
  'approval.requested': 'asked',
  'approval.decided': 'given',
  'call.denied': 'denied',
  'tool.started': 'started',
  'result.requested': 'waiting',
  'result.received': 'received',
  'tool.finished': 'finished',
  'tool.orphaned': 'orphaned',
  'call.settled': 'settled',
};

/** Status of a call. `over` means that its run has ended. */
export function statusOf(story: CallStory, over: boolean): CallStatus {
  const { judged, asked, given, denied, waiting, received, finished, settled } = story;
  if (denied) return 'denied';
  if (judged?.type === 'call.refused') return 'invalid';
  if (settled) return 'unknown';
  if (finished && !finished.ok) return 'failed';
  if (((asked && !given) || (waiting && !received)) && !finished) return 'waiting';
  // A proxy checks calls, and its client runs them.
  if (!judged || !(finished || over)) return 'open';
  return judged.type === 'call.mended' ? 'mended' : 'ok';
}
