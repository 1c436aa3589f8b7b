import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { hashToken, isWellFormedToken } from '@/lib/domain/monitors/heartbeats/heartbeat-token';
import type { createCallIntake } from '@/lib/engine/heartbeats/call-intake';
import type { HeartbeatCall } from '@/lib/engine/heartbeats/judge-calls';
import type { Reception } from '@/lib/engine/heartbeats/reception';
import { countedAddress } from '@/lib/web/http/address/request-address';
import { readOutput } from './call-output';
import { PLAIN_SECURITY_HEADERS } from './security-headers';

type Options = {
  intake: ReturnType<typeof createCallIntake>;
  reception: Pick<Reception, 'resume'>;
  /** The address of the client; null if it has disconnected. */
  addressOf(request: IncomingMessage): string | null;
  clock: Clock;
  log: Logger;
};

const PATH = /^\/heartbeat\/([^/]+)(?:\/([^/]+))?$/;
/** Anything else is ignored, so that no call fails because of it. */
const RUN_ID = /^[\w.~-]{1,64}$/;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT'];
/** Clients wait about as long, and call again. */
const PATIENCE_MS = 8000;
const RETRY_SECONDS = 5;
/** A job whose monitor was deleted calls once a minute. */
const UNKNOWN_PER_MINUTE = 60;
const MAX_EXIT_CODE = 255;

/** Whether a path is that of heartbeats: served here, without the application, as thousands of jobs call at the full minute. */
export function isHeartbeatPath(pathname: string): boolean {
  return pathname.startsWith('/heartbeat/');
}

/**
 * Responds to the calls of jobs, in plain text: OK once a call is recorded, 404 for every unknown token (429 for an address with many),
 * and 503 with Retry-After if it cannot be recorded. Never logs a token.
 */
export function createHeartbeatListener(options: Options): RequestListener {
  const unknown = new RateLimiterMemory({ points: UNKNOWN_PER_MINUTE, duration: 60 });
  return (request, response) => {
    respondTo(options, unknown, request, response).catch((error: unknown) => {
      options.log.error({ error: describeError(error) }, 'a heartbeat could not be recorded');
      respond(response, 503, 'Unavailable. Call again later.', { 'Retry-After': String(RETRY_SECONDS) });
    });
  };
}

async function respondTo(
  { intake, reception, addressOf, clock }: Options,
  unknown: RateLimiterMemory,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!METHODS.includes(request.method ?? '')) {
    return respond(response, 405, 'Call with GET, HEAD, POST or PUT.', { Allow: METHODS.join(', ') });
  }
  // Before the body, which may be slow, so that runs are measured from here.
  const at = clock.now().getTime();
  const [path = '', query] = request.url?.split('?') ?? [];
  const [, token = '', action] = PATH.exec(path) ?? [];
  const report = readAction(action);
  const output = await readOutput(request);
  if (report !== null && isWellFormedToken(token)) {
    const call = { ...report, rid: readRunId(query), at, output, tokenHash: hashToken(token) };
    const isKnown = await inTime(reception.resume().then(() => intake.receive(call)));
    if (isKnown) return respond(response, 200, 'OK');
  }
  const address = addressOf(request);
  const wait = address === null ? 0 : await countUnknown(unknown, countedAddress(address));
  if (wait === 0) return respond(response, 404, 'Not found');
  respond(response, 429, 'Too many calls for unknown URLs.', { 'Retry-After': String(wait) });
}

/** What the last part of the path reports; null if it is none of those that exist. */
function readAction(action: string | undefined): Pick<HeartbeatCall, 'kind' | 'message'> | null {
  if (action === undefined) return { kind: 'success', message: null };
  if (action === 'start') return { kind: 'start', message: null };
  if (action === 'fail') return { kind: 'failure', message: null };
  const code = /^\d{1,3}$/.test(action) ? Number(action) : Number.POSITIVE_INFINITY;
  if (code > MAX_EXIT_CODE) return null;
  if (code === 0) return { kind: 'success', message: null };
  return { kind: 'failure', message: `the job ended with exit code ${code}` };
}

/** Which run starts or ends; null if the query does not have it. */
function readRunId(query: string | undefined): string | null {
  const rid = new URLSearchParams(query).get('rid') ?? '';
  return RUN_ID.test(rid) ? rid : null;
}

/** Rejects if a call is not recorded in time; it may still be. */
async function inTime(recorded: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the database did not respond within ${PATIENCE_MS} ms`)),
      PATIENCE_MS,
    );
  });
  try {
    return await Promise.race([recorded, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Counts a call for an unknown URL; returns after how many seconds the address may call again, 0 if it may now. */
async function countUnknown(limiter: RateLimiterMemory, address: string): Promise<number> {
  try {
    await limiter.consume(address);
    return 0;
  } catch (outcome) {
    if (!(outcome instanceof RateLimiterRes)) throw outcome;
    return Math.max(1, Math.ceil(outcome.msBeforeNext / 1000));
  }
}

function respond(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const body = `${text}\n`;
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...PLAIN_SECURITY_HEADERS,
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
