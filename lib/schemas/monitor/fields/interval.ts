import { z } from 'zod';

export const INTERVALS = [30, 60, 120, 180, 300] as const;

export const intervalSchema = z
  .literal([...INTERVALS], `must be one of ${INTERVALS.join(', ')} (seconds)`)
  .meta({ type: 'integer', description: 'Seconds between two checks from a region' });

/** `30 seconds`, `2 minutes`. */
export function formatInterval(seconds: string): string {
  const minutes = Number(seconds) / 60;
  if (minutes < 1) return `${seconds} seconds`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
