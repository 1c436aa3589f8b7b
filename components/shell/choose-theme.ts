import { startTransition } from 'react';
import type { Theme } from './theme';

/** Applies a theme immediately and saves it. */
export function chooseTheme(theme: Theme, save: (theme: Theme) => Promise<void>): void {
  document.documentElement.dataset.theme = theme;
  startTransition(() => save(theme));
}
