import { type Route, writeRoute } from '../route.ts';
import { ThemeToggle } from './theme-toggle.tsx';

const tabs: readonly { readonly label: string; readonly route: Route; readonly views: readonly Route['view'][] }[] = [
  { label: 'Runs', route: { view: 'runs', filter: {} }, views: ['runs', 'run', 'call'] },
  { label: 'Figures', route: { view: 'figures' }, views: ['figures'] },
  { label: 'Try it', route: { view: 'try', shared: '' }, views: ['try'] },
];

/** The header of every view. */
export function Header({ view, onHelp }: { readonly view: Route['view']; readonly onHelp: () => void }) {
  return (
    <header class="top">
      <a class="brand" href="#/runs" aria-label="Toolmend inspector, all runs">
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="22" height="22" />
        <span class="brand-name">
          Toolmend <span class="brand-part">inspector</span>
        </span>
      </a>
      <nav aria-label="Views">
        {tabs.map(({ label, route, views }) => (
          <a key={label} href={writeRoute(route)} aria-current={views.includes(view) ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="top-end">
        <button type="button" class="icon-button" onClick={onHelp} aria-label="Keyboard shortcuts" title="Keyboard (?)">
          <kbd>?</kbd>
        </button>
        <ThemeToggle />
      </div>
    </header>
  );
}
