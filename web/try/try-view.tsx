import { useEffect, useMemo, useState } from 'preact/hooks';
import { CopyButton } from '../parts/copy-button.tsx';
import { Guarded } from '../parts/guarded.tsx';
import { Notice } from '../parts/notice.tsx';
import { writeRoute } from '../route.ts';
import { checkTyped } from './check-typed.ts';
import { examples } from './examples.ts';
import { ReadAs } from './read-as.tsx';
import { readTools } from './read-tools.ts';
import { ReadingView } from './reading-view.tsx';
import { pack, unpack } from './share.ts';
import type { Typed } from './typed.ts';
import '../style/try.css';

const first = (examples[0] as (typeof examples)[number]).typed;

/** Reads, mends and checks pasted model output while typing. Nothing leaves the page. */
export function TryView({ shared }: { readonly shared: string }) {
  const [typed, setTyped] = useState<Typed>(first);
  const [damaged, setDamaged] = useState(false);
  // Only the initial URL is read; later the URL follows the input.
  const [brought] = useState(shared);
  useEffect(() => {
    if (brought) void unpack(brought).then((found) => (found ? setTyped(found) : setDamaged(true)));
  }, [brought]);
  useEffect(() => {
    if (typed === first) return;
    const timer = setTimeout(async () => {
      history.replaceState(null, '', writeRoute({ view: 'try', shared: await pack(typed) }));
    }, 300);
    return () => clearTimeout(timer);
  }, [typed]);
  const change = (part: Partial<Typed>) => setTyped({ ...typed, ...part });
  const tools = useMemo(() => readTools(typed.tools), [typed.tools]);
  const reading = useMemo(
    () => (tools.type === 'tools' ? checkTyped(typed, tools.toolbox) : undefined),
    [typed, tools],
  );
  const names = tools.type === 'tools' ? tools.toolbox.list().map(({ name }) => name) : [];
  return (
    <>
      <div class="view-head">
        <h1>Try it</h1>
        <p class="quiet">Read, mended and checked here in the page. Nothing you type leaves it.</p>
        <CopyButton label="Copy link" what="link" text={() => location.href} />
      </div>
      {damaged && (
        <Notice tone="bad" title="The link was damaged">
          <p>Its content could not be read. An example is shown instead.</p>
        </Notice>
      )}
      <fieldset class="examples">
        <legend class="unseen">Examples</legend>
        {examples.map(({ name, typed: example }) => (
          <button
            key={name}
            type="button"
            class="button"
            aria-pressed={typed === example}
            onClick={() => setTyped(example)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <div class="try">
        <form class="try-form" onSubmit={(event) => event.preventDefault()}>
          <label class="field">
            <span>What the model wrote</span>
            <textarea
              class="mono"
              rows={12}
              spellcheck={false}
              value={typed.text}
              onInput={(event) => change({ text: event.currentTarget.value })}
            />
          </label>
          <ReadAs value={typed.as} tools={names} onChange={(as) => change({ as })} />
          <label class="check">
            <input
              type="checkbox"
              checked={typed.cut}
              onChange={(event) => change({ cut: event.currentTarget.checked })}
            />
            The response reached the token limit
          </label>
          <label class="field">
            <span>Tools, in the format of MCP, OpenAI, Anthropic or Gemini</span>
            <textarea
              class="mono"
              rows={12}
              spellcheck={false}
              value={typed.tools}
              aria-invalid={tools.type === 'faulty'}
              onInput={(event) => change({ tools: event.currentTarget.value })}
            />
          </label>
          {tools.type === 'faulty' && (
            <p class="problem-line" role="alert">
              The tools can't be read: {tools.message}
            </p>
          )}
        </form>
        {reading && (
          <Guarded what="reading" from={reading}>
            <ReadingView reading={reading} />
          </Guarded>
        )}
      </div>
    </>
  );
}
