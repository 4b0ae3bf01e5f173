/** Color theme: the system's, or one chosen here. */
export type Theme = 'auto' | 'light' | 'dark';

const key = 'toolmend.theme';
const order: readonly Theme[] = ['auto', 'light', 'dark'];

/** The stored choice, if the browser has one. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key) as Theme;
    return order.includes(stored) ? stored : 'auto';
  } catch {
    return 'auto';
  }
}

/** Applies a theme. All colors depend on this attribute. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Without storage, the next visit uses the system's theme.
  }
}

/** The next theme in the cycle. */
export const nextTheme = (theme: Theme): Theme => order[(order.indexOf(theme) + 1) % order.length] ?? 'auto';
