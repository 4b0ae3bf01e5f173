import type { CallStatus } from '../../src/inspect/api.ts';
import { lookOf } from './statuses.ts';

/** A status as an icon, with its name if `label` is set. */
export function StatusIcon({ status, label = false }: { readonly status: CallStatus; readonly label?: boolean }) {
  const look = lookOf(status);
  return (
    <span class={`status status-${status}`} title={look.says}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={look.path} fill="currentColor" fill-rule="evenodd" />
      </svg>
      <span class={label ? 'status-label' : 'unseen'}>{look.label}</span>
    </span>
  );
}
