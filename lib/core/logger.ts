import pino, { type Logger } from 'pino';

export type { Logger };

/** Structured lines on stderr: stdout belongs to what a command answers. */
export function createLogger(level: string, name: string): Logger {
  return pino({ level, name }, pino.destination({ dest: 2, sync: true }));
}
