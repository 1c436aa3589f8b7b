import pino from 'pino';
import type { Logger } from '@/lib/core/logger';

/** A log that collects its lines for a test instead of printing them. */
export function keepLog(): { log: Logger; lines(): Record<string, unknown>[] } {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  return { log, lines: () => lines.map((line) => JSON.parse(line)) };
}
