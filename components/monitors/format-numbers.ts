import { formatTiming } from '@/lib/core/time/duration';
import type { ChartWindow } from '@/lib/schemas/monitor/stats';

/** A response time, such as `120 ms` or `1.25s`; a dash for null. */
export function formatMs(ms: number | null): string {
  return ms === null ? '–' : formatTiming(ms);
}

/** `1 hour`, `24 hours`, `7 days`. */
export function formatWindow(window: ChartWindow): string {
  return window === '1h' ? '1 hour' : window.replace('h', ' hours').replace('d', ' days');
}
