import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError, describeError } from '@/lib/core/errors';
import { parseJson } from '@/lib/core/parse-json';
import { createWake } from '@/lib/core/time/wake';
import { authenticateProbe } from '@/lib/domain/probe-tokens/probe-tokens';
import { createPartitionKeeper } from '@/lib/engine/checks/recording/record-results';
import { MAX_REQUEST_BYTES, PROBE_PATH, WORTH_COMPRESSING_BYTES } from '@/lib/engine/remote/protocol';
import { serveProbe } from '@/lib/engine/remote/serve/serve-probe';
import type { ProbeServices } from '@/lib/engine/remote/serve/services';
import { type Listening, listen } from '@/lib/platform/db/listen';
import { commonHeaders } from '@/lib/web/http/problem';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { requestIdOf } from './requests/request-id';
import { respondProblem } from './respond';
import { PLAIN_SECURITY_HEADERS } from './security-headers';

const [compress, gunzip] = [promisify(zlib.gzip), promisify(zlib.gunzip)];
/** Five hundred results have twelve thousand. */
const MAX_VALUES = 50_000;
/**
 * Of one token, in each web process, since it is this process that its requests keep busy. Fifty probes send a third of it; a batch of
 * results counts once more for each part of this size.
 */
const REQUESTS_PER_MINUTE = 6000;
const COUNTED_BYTES = 64 * 1024;

/** Whether a path is of the protocol of probes: served here, without the application, as their reports wait for news. */
export function isProbePath(pathname: string): boolean {
  return pathname.startsWith(PROBE_PATH);
}

type Options = Omit<ProbeServices, 'ensurePartition'> & {
  /** The address of the client; null if it has disconnected. */
  addressOf(request: IncomingMessage): string | null;
  requestsPerMinute?: number;
};

/** Which request a log line is about; the token is that of the probe, once it is known. */
type About = { path: string | undefined; region: string | null; token: string | null };

/** Serves probes in other networks. Listens to the database at `url` once the first one has reported, until `stop`. */
export function createProbeListener(
  { addressOf, requestsPerMinute = REQUESTS_PER_MINUTE, ...given }: Options,
  url: string,
) {
  const count = createCount(requestsPerMinute);
  const services = { ...given, ensurePartition: createPartitionKeeper(given.db) };
  const { log } = services;
  const wakes = { changes: createWake(), requests: createWake() };
  let listening: Listening | null = null;
  const listener: RequestListener = (request, response) => {
    const about: About = { path: request.url, region: null, token: null };
    serve(request, about)
      .then((body) => respondCompressed(response, body))
      .catch((error: unknown) => respondFailure(response, error, about));
  };
  const serve = async (request: IncomingMessage, about: About) => {
    if (request.method !== 'POST') {
      throw new DomainError('METHOD_NOT_ALLOWED', 'Probes send POST requests.');
    }
    const { pathname } = new URL(request.url ?? '', 'http://probe');
    // Before its body, which strangers could make large.
    const token = await authenticateProbe(services, request.headers.authorization);
    Object.assign(about, { region: token.region, token: token.tokenId });
    await count(token.tokenId, 1);
    const body = await readBody(request);
    await count(token.tokenId, Math.floor(body.length / COUNTED_BYTES));
    const call = {
      token,
      address: addressOf(request),
      operation: pathname.slice(PROBE_PATH.length),
      body: parseJson(body.toString(), MAX_VALUES),
    };
    const served = await serveProbe(services, wakes, call);
    listening ??= listen(url, ['pharos_checks', 'pharos_dry_runs', 'pharos_manual_checks'], {
      onNotify: (channel) => (channel === 'pharos_checks' ? wakes.changes : wakes.requests).ring(),
      log,
    });
    return served;
  };
  const respondFailure = (response: ServerResponse, error: unknown, about: About) => {
    if (!(error instanceof DomainError))
      log.error({ work: 'probes', ...about, error: describeError(error) }, 'a probe could not be served');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof RateLimitedError) response.setHeaders(new Headers(error.headers));
    respondProblem(response, error);
  };
  return {
    listener,
    stop: async (): Promise<void> => {
      wakes.changes.ring();
      wakes.requests.ring();
      await listening?.stop();
    },
  };
}

/** Counts what a token requests. Throws `RateLimitedError` beyond `perMinute`. */
function createCount(perMinute: number) {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (tokenId: string, points: number): Promise<void> => {
    try {
      await limiter.consume(tokenId, points);
    } catch (outcome) {
      if (!(outcome instanceof RateLimiterRes)) throw outcome;
      throw new RateLimitedError({
        'Retry-After': String(Math.max(1, Math.ceil(outcome.msBeforeNext / 1000))),
      });
    }
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection must stay open for the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_REQUEST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? decompress(body) : body;
}

async function decompress(body: Buffer): Promise<Buffer> {
  try {
    return await gunzip(body, { maxOutputLength: MAX_REQUEST_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw new DomainError('INVALID_JSON', 'The body is not compressed correctly.');
  }
}

function tooLarge(): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', 'The body is larger than 16 MiB.');
}

/** Every probe accepts gzip. The configuration of thousands of monitors is a tenth as large with it. */
async function respondCompressed(response: ServerResponse, body: object): Promise<void> {
  const text = JSON.stringify(body);
  const isWorthIt =
    text.length >= WORTH_COMPRESSING_BYTES && response.req.headers['accept-encoding']?.includes('gzip');
  response.writeHead(200, {
    'Content-Type': 'application/json',
    ...(isWorthIt ? { 'Content-Encoding': 'gzip' } : {}),
    ...PLAIN_SECURITY_HEADERS,
    ...commonHeaders(requestIdOf(response.req)),
  });
  response.end(isWorthIt ? await compress(text) : text);
}
