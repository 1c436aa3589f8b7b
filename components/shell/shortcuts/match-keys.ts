/** What a keystroke completes, and what it begins. */
export type Match = { found: string | null; pending: string | null };

/**
 * Holds a keystroke, with the one before it where that began something, against the keys that do something: `j`, or
 * `g m` for one after the other. What begins a pair waits for its second key.
 */
export function matchKeys(keys: readonly string[], pending: string | null, stroke: string): Match {
  const pair = pending === null ? null : `${pending} ${stroke}`;
  if (pair !== null && keys.includes(pair)) return { found: pair, pending: null };
  if (keys.some((each) => each.startsWith(`${stroke} `))) return { found: null, pending: stroke };
  return { found: keys.includes(stroke) ? stroke : null, pending: null };
}
