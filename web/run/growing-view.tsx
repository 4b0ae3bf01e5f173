import { visible } from '../../src/log/shown/visible.ts';
import type { Growing } from './growing.ts';

/** Length of the end of the text to show; the start has scrolled out of view. */
const tail = 4000;

/** The response while it streams. */
export function GrowingView({ growing: { turn, text, reasoning, calls } }: { readonly growing: Growing }) {
  return (
    <section class="turn" aria-label={`Turn ${turn}, streaming`}>
      <header class="entry-head">
        <h2>Turn {turn}</h2>
        <span class="writing">writing</span>
      </header>
      {reasoning && <p class="reasoning-text prose">{last(reasoning)}</p>}
      {text && <p class="prose">{last(text)}</p>}
      {calls.map(({ callId, name, text: written }) => (
        <article key={callId} class="call-card call-card-open" data-growing={callId}>
          <div class="call-card-head">
            <span class="call-card-name">{name || 'A call'}</span>
            <span class="writing">writing its arguments</span>
          </div>
          <pre class="code-box growing-text">{visible(last(written))}</pre>
        </article>
      ))}
    </section>
  );
}

const last = (text: string): string => (text.length > tail ? `…${text.slice(-tail)}` : text);
