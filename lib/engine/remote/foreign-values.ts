const MAX_TRANSACTION = 2n ** 63n - 1n;

/** Whether PostgreSQL reads a text as a snapshot: its bounds, and between them the transactions in progress, in ascending order. */
export function isSnapshot(text: string): boolean {
  const [, from = '', to = '', listed = ''] = /^(\d{1,19}):(\d{1,19}):([\d,]*)$/.exec(text) ?? [];
  if (from === '') return false;
  const [min, max] = [BigInt(from), BigInt(to)];
  if (min < 1n || max < min || max > MAX_TRANSACTION) return false;
  let last = min;
  for (const item of listed === '' ? [] : listed.split(',')) {
    const id = item.length > 19 ? 0n : BigInt(item);
    if (id < last || id >= max) return false;
    last = id;
  }
  return true;
}

/** Whether PostgreSQL can hold all texts of a parsed JSON value, and the names in it: no NUL, and whole characters. */
export function isStorable(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string' && (next.includes('\0') || !next.isWellFormed())) return false;
    if (typeof next !== 'object' || next === null) continue;
    // The items of a list have no names of their own.
    for (const part of Array.isArray(next) ? next : Object.entries(next).flat()) open.push(part);
  }
  return true;
}
