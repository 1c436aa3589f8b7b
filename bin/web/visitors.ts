import type { IncomingMessage } from 'node:http';
import type { CapturedResponse, Visitors } from '@/lib/platform/page-front';
import { countedAddress } from '@/lib/web/http/address/request-address';
import { ANY_ORIGIN, commonHeaders, problemBody } from '@/lib/web/http/problem';
import { countAddress, RateLimitedError, type RateLimiter, VISITS } from '@/lib/web/http/rate-limit';
import { requestIdOf } from './requests/request-id';
import { createTurns } from './turns';

/** What visitors request and memory cannot serve is counted by their address, 300 a minute in all web processes, and handled in turns. */
export function createVisitors(
  rateLimiter: RateLimiter,
  addressOf: (request: IncomingMessage) => string | null,
): Visitors {
  const takeTurn = createTurns();
  return {
    inTurn: (request, work) => {
      const { url = '', headers } = request;
      // Clients of the API may share an address, and one client may have many.
      const source = url.startsWith('/api/')
        ? (headers.authorization ?? addressOf(request))
        : addressOf(request);
      return source === null ? work() : takeTurn(source, work);
    },
    nameOf: (request) => {
      const address = addressOf(request);
      return address === null ? '' : countedAddress(address);
    },
    countMiss: async (request, { isDocument }) => {
      try {
        return { headers: await countAddress(rateLimiter, addressOf(request), VISITS), refusal: null };
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error;
        return { headers: error.headers, refusal: refuse(error, requestIdOf(request), isDocument) };
      }
    },
  };
}

/** The response beyond the limit: a text for people, the format of the API for programs. */
function refuse(error: RateLimitedError, requestId: string, isDocument: boolean): CapturedResponse {
  const { status, body } = problemBody(error, requestId);
  const headers: Record<string, string> = isDocument
    ? { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' }
    : { ...ANY_ORIGIN, ...commonHeaders(requestId), 'content-type': 'application/json' };
  const text = isDocument ? `${error.message}\n` : JSON.stringify(body);
  return {
    status,
    headers: lowerCased({ ...headers, ...error.headers }),
    body: Buffer.from(text),
  };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
