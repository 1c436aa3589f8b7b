const DAY = { month: 'short', day: 'numeric' } as const;

/** Making a formatter costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function format(at: Date, options: Intl.DateTimeFormatOptions): string {
  const name = JSON.stringify(options);
  const found = formats.get(name) ?? new Intl.DateTimeFormat(undefined, options);
  formats.set(name, found);
  return found.format(at);
}

/** A moment in the reader's zone and language: `Nov 21, 2026, 2:03:07 PM GMT+1`. */
export function formatInFull(at: Date): string {
  return format(at, { dateStyle: 'medium', timeStyle: 'long' });
}

/** The same, as short as it is clear now: today `2:03:07 PM`, this year `Nov 20, 2:03 PM`, else `Nov 20, 2025`. */
export function formatInShort(at: Date, now: Date): string {
  if (at.toDateString() === now.toDateString()) return format(at, { timeStyle: 'medium' });
  if (at.getFullYear() !== now.getFullYear()) return format(at, { ...DAY, year: 'numeric' });
  return format(at, { ...DAY, hour: 'numeric', minute: '2-digit' });
}
