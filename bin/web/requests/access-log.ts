import type { IncomingMessage, ServerResponse } from 'node:http';
import { visiblePath } from '@/lib/core/formats/visible-path';
import type { Logger } from '@/lib/core/logger';
import { type RequestContext, runInRequest } from '@/lib/core/request-context';

/** Logs a request once its response has ended. */
export type AccessLog = (request: IncomingMessage, response: ServerResponse, context: RequestContext) => void;

/** Files of the build. */
const ASSETS = /^\/_next\//;

/**
 * Logs requests to dashboard and API, without their queries and the secrets in their paths: all of them, or only `errors`, which are those
 * with a status from 400, and those whose client left before the response had ended. Null if it is off.
 */
export function createAccessLog(mode: 'off' | 'errors' | 'on', log: Pick<Logger, 'info'>): AccessLog | null {
  if (mode === 'off') return null;
  return ({ method, url = '', socket }, response, context) => {
    const path = visiblePath(url);
    if (ASSETS.test(path)) return;
    const begunAt = performance.now();
    const { bytesWritten } = socket;
    response.once('close', () => {
      const { statusCode: status, writableFinished: isWhole } = response;
      if (mode === 'errors' && status < 400 && isWhole) return;
      const fields = {
        method,
        path,
        status,
        durationMs: Math.round((performance.now() - begunAt) * 10) / 10,
        bytes: socket.bytesWritten - bytesWritten,
        organizationId: context.organizationId,
        keyId: context.keyId,
      };
      // The event is one of the connection, not of the request.
      runInRequest(context, () => log.info(fields, isWhole ? 'request' : 'request aborted'));
    });
  };
}
