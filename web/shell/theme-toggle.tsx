import { useState } from 'preact/hooks';
import { applyTheme, nextTheme, storedTheme, type Theme } from './theme.ts';

const looks: Record<Theme, { readonly words: string; readonly path: string }> = {
  auto: { words: 'system', path: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6v10.8A5.4 5.4 0 0 0 8 2.6z' },
  light: {
    words: 'light',
    path: 'M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM7.3 0h1.4v3H7.3zM7.3 13h1.4v3H7.3zM0 7.3h3v1.4H0zM13 7.3h3v1.4h-3zM2 3l1-1 2 2-1 1zM11 12l1-1 2 2-1 1zM2 13l2-2 1 1-2 2zM11 4l2-2 1 1-2 2z',
  },
  dark: { words: 'dark', path: 'M13.8 10.2A6.5 6.5 0 0 1 5.8 2.2a6.5 6.5 0 1 0 8 8z' },
};

/** Switches between the light, dark and system themes. */
export function ThemeToggle() {
  const [theme, setTheme] = useState(storedTheme);
  const { words, path } = looks[theme];
  const toggle = () => {
    const next = nextTheme(theme);
    applyTheme(next);
    setTheme(next);
  };
  return (
    <button
      type="button"
      class="icon-button"
      onClick={toggle}
      aria-label={`Colours: ${words}`}
      title={`Colours: ${words}`}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={path} fill="currentColor" fill-rule="evenodd" />
      </svg>
    </button>
  );
}
