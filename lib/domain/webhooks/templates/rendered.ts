import { formatTiming } from '@/lib/core/time/duration';

/** A rendered template, or what is wrong with it. */
export type Rendered = { text: string; problem: null } | { text: null; problem: string };

/** A template, with all events that it is rendered for at once, runs within this many milliseconds. */
export const TIME_LIMIT_MS = 250;

export const TOO_SLOW = `takes longer than ${formatTiming(TIME_LIMIT_MS)}`;
export const TOO_MUCH_MEMORY = 'needs too much memory';
