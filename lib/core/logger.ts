import pino, { type Logger } from 'pino';

export type { Logger };

/** Logs structured lines to stderr, because stdout is for the output of commands. */
export function createLogger(level: string, name: string): Logger {
  return pino({ level, name }, pino.destination({ dest: 2, sync: true }));
}
