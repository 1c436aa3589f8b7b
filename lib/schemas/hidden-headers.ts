/** Stands for the value of a header that the form does not show. No header can hold it: it is beyond Latin-1. */
export const HIDDEN = '••••••••';

/** The headers with their values hidden. */
export function hideHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
}

/** Whether a value is still the one that was hidden. */
export function hasHiddenHeaders(headers: Record<string, string>): boolean {
  return Object.values(headers).includes(HIDDEN);
}

/** Puts the stored values back where they were left hidden; what was never stored stays as it is, to be refused. */
export function revealHeaders(
  headers: Record<string, string>,
  stored: Record<string, string>,
): Record<string, string> {
  const pairs = Object.entries(headers);
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, value === HIDDEN ? (stored[name] ?? value) : value]),
  );
}
