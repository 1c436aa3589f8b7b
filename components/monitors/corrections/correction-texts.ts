import type { Correction } from '@/lib/schemas/monitor/correction';

type State = Correction['state'];

export const STATE_LABELS: Record<State, string> = {
  operational: 'Operational',
  maintenance: 'Maintenance',
  unknown: 'Unknown',
  degraded: 'Degraded',
  down: 'Down',
};

const UNCOUNTED: ReadonlySet<State> = new Set(['maintenance', 'unknown']);

const choice = (value: State) => ({
  value,
  label: UNCOUNTED.has(value) ? `${STATE_LABELS[value]} (does not count)` : STATE_LABELS[value],
});

/** What a time can be corrected to, the most frequent first. */
export const CORRECTION_CHOICES = (
  ['operational', 'maintenance', 'unknown', 'degraded', 'down'] as const
).map(choice);
