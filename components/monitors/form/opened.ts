import { parseJson } from '@/lib/core/parse-json';
import type { Typed } from './monitor-input';

/** The field in which a form carries along what it opened with. */
export const OPENED = 'opened';

/** What the form opened with; nothing where it was sent without. */
export function readOpened(typed: Typed): Typed {
  try {
    const opened = parseJson(typed[OPENED] ?? '{}');
    if (typeof opened !== 'object' || opened === null) return {};
    return Object.fromEntries(Object.entries(opened).map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}
