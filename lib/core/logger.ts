import pino, { type Logger } from 'pino';
import { currentRequest } from './request-context';

export type { Logger };

/** Logs structured lines to stderr, because stdout is for the output of commands. Those about a request have its ID. */
export function createLogger(level: string, name: string): Logger {
  return pino({ level, name, mixin: requestFields }, pino.destination({ dest: 2, sync: true }));
}

function requestFields(): { requestId?: string } {
  const request = currentRequest();
  return request === undefined ? {} : { requestId: request.requestId };
}
