/** Light, dark, or as the system says. The choice is kept in the browser; colours are in `styles/tokens.css`. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'vidmar.theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === value) ?? 'system';
}

export const theme = $state<{ value: Theme }>({ value: stored() });

export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
}

/** Takes the next one of system, light, dark. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  localStorage.setItem(KEY, theme.value);
  applyTheme();
}
