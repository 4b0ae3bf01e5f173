import { useState } from 'preact/hooks';
import type { ApprovalBody } from '../../src/inspect/api.ts';
import type { ApprovalRequested, RunEvent } from '../../src/log/events.ts';
import { effectLabels, shownArguments } from '../../src/log/shown/shown-arguments.ts';
import { visible, visibleLines } from '../../src/log/shown/visible.ts';
import { askApi } from '../ask-api.ts';
import { ProblemList } from '../parts/problem-list.tsx';

interface Props {
  readonly run: string;
  readonly asked: RunEvent<ApprovalRequested>;
  readonly canApprove: boolean;
  readonly decided: () => void;
}

type Mode = 'choose' | 'deny' | 'edit';

/** A form to allow a call, deny it with a reason, or edit its arguments. */
export function ApprovalForm({ run, asked, canApprove, decided }: Props) {
  const [mode, setMode] = useState<Mode>('choose');
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async (body: ApprovalBody, text?: string) => {
    setBusy(true);
    setFault('');
    try {
      await askApi(`approvals/${encodeURIComponent(run)}/${encodeURIComponent(asked.callId)}`, {
        body: { ...body, asked: asked.seq },
        ...(text !== undefined && { text }),
      });
      decided();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  const sendEdit = () => {
    try {
      // Sent as typed, so that the server can report what parsing would lose: a duplicate key or digits of a number.
      const body = { type: 'edit', input: JSON.parse(text) } as const;
      void send(body, `{"type":"edit","asked":${asked.seq},"input":${text}}`);
    } catch (error) {
      setFault(`Not valid JSON yet: ${error instanceof Error ? error.message : error}`);
    }
  };
  const begin = (next: Mode, given: string) => {
    setMode(next);
    setText(given);
    setFault('');
  };
  return (
    <fieldset class="approval" disabled={busy}>
      <legend>
        <span class={`flag ${asked.effect === 'destructive' ? 'flag-bad' : ''}`}>{effectLabels[asked.effect]}</span>{' '}
        {visible(asked.name)}: May it run? {visible(asked.reason)}
      </legend>
      <pre class="code-box approval-arguments">{shownArguments(asked.input)}</pre>
      {asked.problems && <ProblemList problems={asked.problems} />}
      {!canApprove && <p class="quiet">Approvals are disabled on this page. Decide where the run was started.</p>}
      {canApprove && mode === 'choose' && (
        <div class="approval-buttons">
          <button type="button" class="button button-main" onClick={() => void send({ type: 'allow' })}>
            Allow
          </button>
          <button type="button" class="button" onClick={() => begin('deny', '')}>
            Deny…
          </button>
          <button type="button" class="button" onClick={() => begin('edit', visibleLines(asked.input))}>
            Edit…
          </button>
        </div>
      )}
      {mode !== 'choose' && (
        <>
          <label class="field">
            <span>
              {mode === 'deny' ? 'Reason (sent to the model)' : 'Arguments (checked again before the call runs)'}
            </span>
            <textarea
              class={mode === 'edit' ? 'mono' : ''}
              rows={mode === 'edit' ? 8 : 2}
              value={text}
              spellcheck={false}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <div class="approval-buttons">
            <button
              type="button"
              class="button button-main"
              onClick={mode === 'edit' ? sendEdit : () => void send({ type: 'deny', ...(text && { reason: text }) })}
            >
              {mode === 'deny' ? 'Deny' : 'Run with these'}
            </button>
            <button type="button" class="button" onClick={() => begin('choose', '')}>
              Cancel
            </button>
          </div>
        </>
      )}
      {fault && (
        <p class="problem-line" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
