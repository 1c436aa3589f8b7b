/** What is typed into the palette: what is sought, and what is to be done with the monitor that is chosen. */
export type Intent = { deed: 'open' | 'pause' | 'resume'; sought: string };

/** Reads `pause shop` as the wish to pause what `shop` finds; anything else seeks what to open. */
export function readIntent(typed: string): Intent {
  const [, deed, rest = ''] = /^\s*(pause|resume)\s+(.*)$/i.exec(typed) ?? [];
  if (deed === undefined) return { deed: 'open', sought: typed.trim() };
  return { deed: deed.toLowerCase() === 'pause' ? 'pause' : 'resume', sought: rest.trim() };
}

/** Whether all words that are sought stand in a text, in whatever order. */
export function fits(text: string, sought: string): boolean {
  const found = text.toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word));
}
