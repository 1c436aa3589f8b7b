import { formatLogs } from '@/lib/core/logger';
import type { Environment } from '@/lib/env';

/**
 * Formats the log for people if LOG_FORMAT is `pretty`, or not set while stderr is a terminal. Call it before creating a logger. The
 * formatter is loaded only then: that takes as long as everything else that the launcher loads.
 */
export async function formatLogsForPeople({ LOG_FORMAT }: Pick<Environment, 'LOG_FORMAT'>): Promise<void> {
  const { isTTY = false } = process.stderr;
  if ((LOG_FORMAT ?? (isTTY ? 'pretty' : 'json')) === 'json') return;
  // A CommonJS package: in the bundle, it has no other export.
  const { default: pretty } = await import('pino-pretty');
  const options = { colorize: isTTY, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' };
  const format = pretty.prettyFactory({ ...options, singleLine: true });
  // What is not JSON gets a second line feed otherwise.
  formatLogs((line) => format(line.replace(/\n$/, '')));
}
