import { useState } from 'preact/hooks';
import type { CommandBody, RunRow } from '../../src/inspect/api.ts';
import { pausedEnds, type RunEnd } from '../../src/log/events.ts';
import { askApi } from '../ask-api.ts';
import type { Timeline } from './timeline.ts';

interface Props {
  readonly row: RunRow;
  readonly timeline: Timeline;
  /** Called after a command was confirmed. */
  readonly sent: () => void;
}

/** A command, with the label of its button and of the text that it takes, if any. */
interface Command {
  readonly action: 'cancel' | 'send' | 'interrupt' | 'requeue';
  readonly label: string;
  readonly text?: string;
  readonly done: string;
  readonly fits: (end: RunEnd | undefined) => boolean;
}

const isOpen = (end: RunEnd | undefined): boolean => end === undefined || pausedEnds.has(end);

const commands: readonly Command[] = [
  {
    action: 'send',
    label: 'Send a message',
    text: 'Message',
    done: 'The message was sent.',
    fits: (end) => end !== 'dead',
  },
  {
    action: 'interrupt',
    label: 'Interrupt',
    text: 'Message to continue with',
    done: 'The run was interrupted.',
    fits: isOpen,
  },
  {
    action: 'cancel',
    label: 'Cancel the run',
    text: 'Reason (optional)',
    done: 'The run was cancelled.',
    fits: isOpen,
  },
  { action: 'requeue', label: 'Requeue', done: 'The run is queued again.', fits: (end) => end === 'dead' },
];

/** Buttons to cancel, message, interrupt and requeue a run, wherever it runs. */
export function RunControls({ row, timeline, sent }: Props) {
  const [chosen, setChosen] = useState<Command>();
  const [text, setText] = useState('');
  const [note, setNote] = useState<{ readonly words: string; readonly isFault: boolean }>();
  const [busy, setBusy] = useState(false);
  const last = timeline.entries.at(-1)?.event;
  const end = timeline.over && last?.type === 'run.ended' ? last.end : undefined;
  const choose = (command: Command | undefined) => {
    setChosen(command);
    setText('');
    setNote(undefined);
  };
  const send = async (command: Command) => {
    const isReason = command.action === 'cancel';
    const body: CommandBody = text === '' ? {} : isReason ? { reason: text } : { message: text };
    setBusy(true);
    try {
      await askApi(`runs/${encodeURIComponent(row.run)}/${command.action}`, { body });
      choose(undefined);
      setNote({ words: command.done, isFault: false });
      sent();
    } catch (error) {
      setNote({ words: error instanceof Error ? error.message : String(error), isFault: true });
    }
    setBusy(false);
  };
  const needsText = chosen?.action === 'send' || chosen?.action === 'interrupt';
  return (
    <fieldset class="controls" disabled={busy}>
      <legend class="unseen">Control the run</legend>
      {!chosen && (
        <div class="approval-buttons">
          {commands
            .filter(({ fits }) => fits(end))
            .map((command) => (
              <button
                key={command.action}
                type="button"
                class="button"
                onClick={() => (command.text ? choose(command) : void send(command))}
              >
                {command.text ? `${command.label}…` : command.label}
              </button>
            ))}
        </div>
      )}
      {chosen && (
        <>
          <label class="field">
            <span>{chosen.text}</span>
            <textarea rows={2} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
          <div class="approval-buttons">
            <button
              type="button"
              class="button button-main"
              disabled={needsText && text.trim() === ''}
              onClick={() => void send(chosen)}
            >
              {chosen.label}
            </button>
            <button type="button" class="button" onClick={() => choose(undefined)}>
              Back
            </button>
          </div>
        </>
      )}
      {note && (
        <p class={note.isFault ? 'problem-line' : 'quiet'} role={note.isFault ? 'alert' : 'status'}>
          {note.words}
        </p>
      )}
    </fieldset>
  );
}
