import { startTransition } from 'react';
import type { Theme } from './theme';

/** Shows the page in a theme at once, and has it remembered. */
export function chooseTheme(theme: Theme, remember: (theme: Theme) => Promise<void>): void {
  document.documentElement.dataset.theme = theme;
  startTransition(() => remember(theme));
}
