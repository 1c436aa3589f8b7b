import pino, { type Logger } from 'pino';
import { currentRequest } from './request-context';

export type { Logger };

/** Turns a line of JSON into text for people; other lines stay as they are. */
export type LogFormat = (line: string) => string;

/** Next has its own module instances in the same process, so a global holds the format of both. */
const shared = globalThis as typeof globalThis & { pharosLogFormat?: LogFormat };

/**
 * Logs structured lines to stderr, because stdout is for the output of commands. Those about a request have its ID.
 */
export function createLogger(level: string, name: string): Logger {
  const destination = isLogFormatted() ? { write: writeLog } : pino.destination({ dest: 2, sync: true });
  return pino({ level, name, mixin: requestFields }, destination);
}

/** Formats the lines of all loggers that are created from now on. */
export function formatLogs(format: LogFormat): void {
  shared.pharosLogFormat = format;
}

/** Whether lines are formatted in this process. */
export function isLogFormatted(): boolean {
  return shared.pharosLogFormat !== undefined;
}

/** Writes a line like those of loggers, for example that of another process. */
export function writeLog(line: string): void {
  process.stderr.write(shared.pharosLogFormat?.(line) ?? line);
}

function requestFields(): { requestId?: string } {
  const request = currentRequest();
  return request === undefined ? {} : { requestId: request.requestId };
}
