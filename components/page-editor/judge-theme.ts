import { contrast, readHex } from '@/components/status-page/theme/colour';
import { readableTheme, type Theme } from '@/components/status-page/theme/readable-theme';

/** A colour that visitors could not read on the background, and the one that the page shows in its place. */
export type UnreadableColour = {
  field: 'textColor' | 'primaryColor';
  chosen: string;
  /** How far it is from the background, from 1 to 21, as `2.1`. */
  contrast: string;
  shown: string;
};

/** What WCAG 2.2 AA asks of texts. */
export const NEEDED_CONTRAST = 4.5;

/** The colours of a theme that are too close to its background. Colours that are none yet are not judged. */
export function judgeTheme(theme: Theme): UnreadableColour[] {
  const background = readHex(theme.backgroundColor);
  if (background === null) return [];
  const readable = readableTheme(theme);
  const { ink, accent } = readable[readable.scheme];
  const judged = [
    { field: 'textColor', shown: ink },
    { field: 'primaryColor', shown: accent },
  ] as const;
  return judged.flatMap(({ field, shown }) => {
    const chosen = readHex(theme[field]);
    if (chosen === null) return [];
    const reached = contrast(chosen, background);
    if (reached >= NEEDED_CONTRAST) return [];
    // Cut, not rounded: 4.46 is not 4.5.
    return [{ field, chosen, shown, contrast: (Math.floor(reached * 10) / 10).toFixed(1) }];
  });
}

/** Whether the page is dark for every visitor, as one with a dark background is. */
export function isDarkForAll(theme: Theme): boolean {
  return readableTheme(theme).scheme === 'dark';
}
