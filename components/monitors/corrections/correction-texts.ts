import type { Correction } from '@/lib/schemas/monitor/correction';

/** What a time can be corrected to, the most frequent first. */
export const CORRECTION_CHOICES = [
  { value: 'operational', label: 'Operational' },
  { value: 'maintenance', label: 'Maintenance (does not count)' },
  { value: 'unknown', label: 'Unknown (does not count)' },
  { value: 'degraded', label: 'Degraded' },
  { value: 'down', label: 'Down' },
] as const satisfies readonly { value: Correction['state']; label: string }[];

export const STATE_LABELS: Record<Correction['state'], string> = {
  operational: 'Operational',
  maintenance: 'Maintenance',
  unknown: 'Unknown',
  degraded: 'Degraded',
  down: 'Down',
};
