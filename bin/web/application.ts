import { randomUUID } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type OutgoingHttpHeaders,
  type RequestListener,
} from 'node:http';
import { duplexPair } from 'node:stream';
import { DomainError } from '@/lib/core/errors';
import { type RequestContext, runInRequest } from '@/lib/core/request-context';
import { formatTiming } from '@/lib/core/time/duration';
import type { CapturedResponse } from '@/lib/platform/page-front';
import { callSharedRoute } from '@/lib/web/http/process-shared';

/** The web application, callable within this process. */
export type Application = {
  /** Sends a GET request and returns the whole response; null if it is too large. Rejects if it does not arrive in time. */
  ask(path: string, headers: OutgoingHttpHeaders): Promise<CapturedResponse | null>;
};

/** The JSON of a page with a thousand monitors has 6 MB. */
const MAX_BYTES = 8 * 1024 * 1024;
const PATIENCE_MS = 30_000;

type Limits = { maxBytes: number; patienceMs: number };

/**
 * Calls a route that is shared with our server, and sends other requests to `handle` over connections in memory: real HTTP at both ends,
 * but nothing else can connect.
 */
export function createApplication(
  handle: RequestListener,
  { maxBytes = MAX_BYTES, patienceMs = PATIENCE_MS }: Partial<Limits> = {},
): Application {
  const exchange = createExchange(handle, { maxBytes, patienceMs });
  return {
    ask: async (path, headers) => {
      const response = runInRequest(contextOf(headers), () => callSharedRoute(path, toHeaders(headers)));
      if (response === null) return exchange(path, headers);
      const captured = await within(patienceMs, response);
      return captured.body.length > maxBytes ? null : captured;
    },
  };
}

/** The request of the visitor, or one of our own to refresh a page. */
function contextOf({ 'x-request-id': requestId }: OutgoingHttpHeaders): RequestContext {
  return { requestId: requestId?.toString() ?? randomUUID() };
}

function toHeaders(headers: OutgoingHttpHeaders): Headers {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return new Headers(given.map(([name, value]) => [name, String(value)]));
}

/** The result of `work`. Rejects if it takes longer than `ms`. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateError(ms)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function lateError(ms: number): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    `The service did not respond within ${formatTiming(ms)}. Retry in a few seconds.`,
  );
}

function createExchange(handle: RequestListener, { maxBytes, patienceMs }: Limits): Application['ask'] {
  const server = createServer((request, response) => {
    runInRequest(contextOf(request.headers), () => handle(request, response));
  });
  return (path, headers) =>
    new Promise((resolve, reject) => {
      const [near, far] = duplexPair();
      server.emit('connection', far);
      const request = httpRequest({ path, headers, createConnection: () => near });
      const timer = setTimeout(() => request.destroy(lateError(patienceMs)), patienceMs);
      const finish = () => {
        clearTimeout(timer);
        // Each on its own: a side that ended last would wait for the other to read on, and keep the whole request in memory.
        near.destroy();
        far.destroy();
      };
      request.on('error', (error) => {
        finish();
        reject(error);
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes <= maxBytes) return;
          resolve(null);
          finish();
        });
        response.on('error', (error) => {
          finish();
          reject(error);
        });
        response.on('end', () => {
          finish();
          const { statusCode: status = 0, headers: own } = response;
          resolve({ status, headers: own, body: Buffer.concat(chunks) });
        });
      });
      request.end();
    });
}
