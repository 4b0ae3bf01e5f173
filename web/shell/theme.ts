/** How the page is coloured: as the system says, or as was chosen here. */
export type Theme = 'auto' | 'light' | 'dark';

const key = 'toolmend.theme';
const order: readonly Theme[] = ['auto', 'light', 'dark'];

/** What was chosen before, where the browser keeps it. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key) as Theme;
    return order.includes(stored) ? stored : 'auto';
  } catch {
    return 'auto';
  }
}

/** Colours the page; every colour is written once for both, and goes by this attribute. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // A browser that keeps nothing asks the system again the next time.
  }
}

/** The one after it, round and round. */
export const nextTheme = (theme: Theme): Theme => order[(order.indexOf(theme) + 1) % order.length] ?? 'auto';
