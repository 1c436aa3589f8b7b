import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { readBearer } from '@/lib/core/token-format';

export const METRICS_PATH = '/metrics';

type Options = {
  registry: Registry;
  /** Reads what is not counted on the way. */
  refresh?: () => Promise<void>;
  /** METRICS_TOKEN. */
  token: string;
  log: Logger;
};

/**
 * Responds to Prometheus in its text format, if the request has the token as `Authorization: Bearer`, and with 401 if not: an address
 * proves nothing behind a proxy. Scrapes of several servers at once share one reading.
 */
export function createMetricsListener({ registry, refresh, token, log }: Options): RequestListener {
  let reading: Promise<string> | null = null;
  const read = () => {
    reading ??= (async () => {
      await refresh?.();
      return registry.metrics();
    })().finally(() => {
      reading = null;
    });
    return reading;
  };
  return (request, response) => {
    if (!isAllowed(request, token)) {
      return respond(response, 401, 'Send METRICS_TOKEN as "Authorization: Bearer".\n', {
        'WWW-Authenticate': 'Bearer',
      });
    }
    read()
      .then((text) => respond(response, 200, text, { 'Content-Type': registry.contentType }))
      .catch((error: unknown) => {
        log.error({ error: describeError(error) }, 'could not read metrics');
        respond(response, 503, 'Could not read metrics. See the log.\n');
      });
  };
}

function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const given = readBearer(headers.authorization) ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

/** Of one length, which is compared in a time that does not depend on the text. */
const digest = (text: string) => createHash('sha256').update(text).digest();

function respond(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      ...headers,
    })
    .end(text);
}
