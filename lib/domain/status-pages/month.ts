/** A month of UTC days: `2026-11`. Texts of this form compare as the months do. */
export type Month = string;

/** The month that a moment lies in. */
export function monthOf(at: Date): Month {
  return at.toISOString().slice(0, 7);
}

/** Where a month begins, and where the next one does. */
export function readMonth(month: Month): { start: Date; end: Date } {
  return { start: new Date(`${month}-01T00:00:00Z`), end: new Date(`${monthAfter(month)}-01T00:00:00Z`) };
}

export function monthBefore(month: Month): Month {
  return shift(month, -1);
}

export function monthAfter(month: Month): Month {
  return shift(month, 1);
}

function shift(month: Month, by: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + by)));
}
