import { z } from 'zod';
import { formatTiming } from '@/lib/core/time/duration';

export const INTERVALS = [30, 60, 120, 180, 300] as const;

export const intervalSchema = z
  .literal([...INTERVALS], `must be one of ${INTERVALS.join(', ')} (seconds)`)
  .meta({ type: 'integer', description: 'Seconds between two checks from a region' });

/** `30s`, `2m`. */
export function formatInterval(seconds: string): string {
  return formatTiming(Number(seconds) * 1000);
}
