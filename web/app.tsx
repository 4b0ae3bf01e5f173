import { useEffect, useRef, useState } from 'preact/hooks';
import { CallView } from './call/call-view.tsx';
import { FiguresView } from './figures/figures-view.tsx';
import { Guarded } from './parts/guarded.tsx';
import { type Route, writeRoute } from './route.ts';
import { RunView } from './run/run-view.tsx';
import { RunsView } from './runs/runs-view.tsx';
import { Header } from './shell/header.tsx';
import { Shortcuts } from './shell/shortcuts.tsx';
import { TipLayer } from './shell/tip-layer.tsx';
import { useKeys } from './shell/use-keys.ts';
import { LateTryView } from './try/late-try-view.tsx';
import { goTo, useRoute } from './use-route.ts';

const titles: Record<Route['view'], string> = {
  runs: 'Runs',
  run: 'Run',
  call: 'Call',
  figures: 'Figures',
  try: 'Try it',
};

/** The page: a header, and the view of the current route. */
export function App() {
  const route = useRoute();
  const [help, setHelp] = useState(false);
  const main = useRef<HTMLElement>(null);
  const place = route.view === 'run' || route.view === 'call' ? writeRoute(route) : route.view;
  const first = useRef(true);
  useEffect(() => {
    document.title = `${titles[route.view]} · Toolmend inspector`;
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [place]);
  useKeys({
    '?': () => setHelp(true),
    g: () => goTo({ view: 'runs', filter: {} }),
    f: () => goTo({ view: 'figures' }),
    t: () => goTo({ view: 'try', shared: '' }),
  });
  return (
    <>
      <button type="button" class="skip-link" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Header view={route.view} onHelp={() => setHelp(true)} />
      <main id="main" ref={main} tabIndex={-1} class={`view view-${route.view}`}>
        <Guarded key={place} what="view">
          {viewOf(route)}
        </Guarded>
      </main>
      <TipLayer />
      <Shortcuts open={help} onClose={() => setHelp(false)} />
    </>
  );
}

function viewOf(route: Route) {
  switch (route.view) {
    case 'runs':
      return <RunsView filter={route.filter} />;
    case 'run':
      return <RunView run={route.run} />;
    case 'call':
      return <CallView run={route.run} callId={route.callId} />;
    case 'figures':
      return <FiguresView />;
    case 'try':
      return <LateTryView shared={route.shared} />;
  }
}
