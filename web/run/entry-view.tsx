import type { JSX } from 'preact';
import { runEnds } from '../../src/log/events.ts';
import { EndBadge } from '../parts/end-badge.tsx';
import { LongText } from '../parts/long-text.tsx';
import { clock, counted, lasted } from '../parts/words.ts';
import { CallCard } from './call-card.tsx';
import type { Now } from './growing.ts';
import { GrowingView } from './growing-view.tsx';
import { PartView } from './part-view.tsx';
import type { Entry, TurnEntry } from './timeline.ts';

interface Props {
  readonly run: string;
  readonly entry: Entry;
  readonly over: boolean;
  readonly now: Now;
  readonly canApprove: boolean;
  readonly decided: () => void;
}

/** An entry of the timeline. */
export function EntryView(props: Props) {
  const { entry } = props;
  const time = <time class="entry-time">{clock(entry.event.at)}</time>;
  switch (entry.type) {
    case 'started':
      return <Started event={entry.event} time={time} />;
    case 'resumed':
      return <p class="entry-note">Resumed after its process ended {time}</p>;
    case 'attempt':
      return (
        <p class="entry-note">
          Attempt {entry.event.attempt} failed: {entry.event.error.name}: {entry.event.error.message} {time}
        </p>
      );
    case 'said':
      return (
        <section class="said" aria-label="User message">
          <header class="entry-head">
            <h2>User</h2>
            {time}
          </header>
          {entry.parts.map((part, index) => (
            <PartView key={index} part={part} />
          ))}
        </section>
      );
    case 'turn':
      return <Turn {...props} entry={entry} time={time} />;
    case 'ended':
      return (
        <p class="entry-note">
          <EndBadge end={entry.event.end} /> {entry.event.message || runEnds[entry.event.end]} {time}
        </p>
      );
  }
}

type Time = { readonly time: JSX.Element };

function Started({ event, time }: { readonly event: Extract<Entry, { type: 'started' }>['event'] } & Time) {
  const { tools = [], instructions, from, history } = event;
  return (
    <details class="started">
      <summary>
        Started with {counted(tools.length, 'tool')}
        {history && ` after ${counted(history.length, 'earlier message')}`}
        {from && ` as a fork of ${from.run} at event ${from.seq}`} {time}
      </summary>
      <p class="tool-names">
        {tools.map((name) => (
          <code key={name}>{name}</code>
        ))}
      </p>
      {instructions && <LongText text={instructions} class="code-box" />}
    </details>
  );
}

function Turn({ entry, time, now, ...rest }: Props & { readonly entry: TurnEntry } & Time) {
  const { turn, pieces, ignored, failed, answered, ms, finish } = entry;
  if (!answered && !failed && now.growing?.turn === turn) return <GrowingView growing={now.growing} />;
  return (
    <section class="turn" aria-label={`Turn ${turn}`}>
      <header class="entry-head">
        <h2>{turn > 0 ? `Turn ${turn}` : 'Calls'}</h2>
        {ms !== undefined && <span class="quiet">{lasted(ms)}</span>}
        {finish === 'length' && <span class="flag flag-bad">reached the token limit</span>}
        {!answered && !failed && !rest.over && <span class="writing">waiting for the model</span>}
        {time}
      </header>
      {pieces.map((piece, index) =>
        piece.type === 'call' ? (
          <CallCard
            key={piece.story.callId}
            {...rest}
            story={piece.story}
            progress={now.progress[piece.story.callId]}
          />
        ) : (
          <PartView key={index} part={piece.part} />
        ),
      )}
      {ignored.map((call) => (
        <p key={call.id} class="entry-note">
          {call.repeated ? 'A call that was sent twice' : 'A call without a usable name'} (
          <code>{call.name || 'empty'}</code>) was ignored
        </p>
      ))}
      {failed && (
        <p class="problem-line">
          The response broke off ({failed.error?.kind}): {failed.error?.message}
        </p>
      )}
    </section>
  );
}
