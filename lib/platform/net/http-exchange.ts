import type { Socket } from 'node:net';
import { formatBytes } from '@/lib/core/text';
import { abortable, type StopSignal } from './deadline';
import { FAILURES } from './failures';
import { HttpParser, HttpSyntaxError } from './http-parser';
import { type DeadlineError, type ExchangeProgress, errorCode, formatPeer, NetError } from './net-error';
import type { PreparedRequest } from './prepared-request';
import { formatTlsError } from './tls';

/** How a response is read. */
type Reading = {
  maxBodyBytes: number;
  successTailMs?: number | undefined;
  eventsUntil?: string | null | undefined;
  endsWithHead?: ((parser: HttpParser) => boolean) | undefined;
  /** Whether the caller may keep the socket: it is then paused, so that nothing that follows the response is lost unseen. */
  staysOpen?: boolean;
  /** The peer, for messages. */
  address: string;
  port: number;
  progress: ExchangeProgress;
  signal: StopSignal;
};

/**
 * Sends one request over a connected socket and reads the response, with at most `maxBodyBytes` of its body. Resolves to the
 * parser once its response is complete. Fills `progress`. The caller closes the socket.
 *
 * `successTailMs` is how long the body of a 2xx response may take, in milliseconds; without it, until the signal. Server-sent events are
 * read until they contain `eventsUntil`, if that is set, and the body of a response only unless `endsWithHead`.
 *
 * Throws a `NetError` of code `connection_lost` or `protocol`, or the signal's reason.
 */
export function exchangeHttp(
  socket: Socket,
  request: PreparedRequest,
  options: Reading,
): Promise<HttpParser> {
  const {
    maxBodyBytes,
    successTailMs,
    eventsUntil,
    endsWithHead,
    staysOpen,
    address,
    port,
    progress,
    signal,
  } = options;
  return abortable(signal, (resolve, reject) => {
    const parser = new HttpParser(request.method, maxBodyBytes);
    progress.parser = parser;
    const startedAt = performance.now();
    let searched = 0;
    let tail: NodeJS.Timeout | undefined;
    const { timings } = progress;

    const fail = (error: unknown) => reject(toNetError(error, formatPeer(address, port), parser));
    const succeed = (at: number) => {
      timings.transfer = at - (progress.headAt ?? startedAt);
      if (staysOpen) socket.pause();
      resolve(parser);
    };
    const endTail = () =>
      reject(new NetError('timeout', FAILURES.body.tail({ peer: formatPeer(address, port) })));
    const read = (received: Buffer) => {
      try {
        parser.push(received);
      } catch (error) {
        return fail(error);
      }
      if (parser.statusCode === null) return;
      const at = performance.now();
      progress.receivedAt = at;
      if (progress.headAt === null) {
        progress.headAt = at;
        timings.firstByte = at - startedAt;
        progress.statusCode = parser.statusCode;
        if (endsWithHead?.(parser)) return succeed(at);
        if (successTailMs !== undefined && parser.isSuccess) tail = setTimeout(endTail, successTailMs);
      }
      if (parser.isComplete) succeed(at);
      else if (typeof eventsUntil === 'string' && parser.isEventStream) {
        const { body } = parser;
        if (body.includes(eventsUntil, searched)) succeed(at);
        // It may be divided.
        searched = Math.max(0, body.length - Buffer.byteLength(eventsUntil));
      }
    };
    const readEnd = () => {
      parser.end();
      if (parser.isComplete) succeed(performance.now());
      else fail(null);
    };

    request.send(socket);
    socket.on('data', read).on('end', readEnd).on('close', readEnd).on('error', fail);
    return () => {
      clearTimeout(tail);
      socket.off('data', read).off('end', readEnd).off('close', readEnd).off('error', fail);
    };
  });
}

function phaseOf({ statusCode, hasBegun }: HttpParser): 'firstByte' | 'headers' | 'body' {
  if (statusCode !== null) return 'body';
  return hasBegun ? 'headers' : 'firstByte';
}

function toNetError(error: unknown, peer: string, parser: HttpParser): NetError {
  const failures = FAILURES[phaseOf(parser)];
  if (error instanceof HttpSyntaxError)
    return new NetError('protocol', failures.invalid({ peer, problem: error.message }));
  // A server may reject a client without a certificate by sending an alert after the handshake.
  const rejection = formatTlsError(peer, error);
  if (rejection !== null) return new NetError('tls', rejection, { cause: error });
  const code = errorCode(error);
  const reason = code.startsWith('ERR_SSL_')
    ? code.slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' ')
    : '';
  const message = code === 'ECONNRESET' ? failures.reset({ peer }) : failures.closed({ peer, reason });
  return new NetError('connection_lost', message, { cause: error });
}

/** From here on, a response without a length is one without an end. */
const MIN_STREAM_BYTES = 64 * 1024;
/** A response flows if the silence at its end is not longer than this part of the time since its headers. */
const MAX_SILENCE = 1 / 4;

/**
 * Whether a response that did not end in time may be one without end, so that what was read of it counts: server-sent events, or a body
 * that has no length or may be longer than is read, and still flows at `now` or had no end after 64 KB.
 */
export function isEndless({ parser, headAt, receivedAt }: ExchangeProgress, now: number): boolean {
  if (!parser || parser.isComplete || headAt === null || receivedAt === null) return false;
  if (parser.isEventStream) return true;
  if (parser.hasNoLength && parser.body.length >= MIN_STREAM_BYTES) return true;
  return parser.mayExceed && now - receivedAt <= (now - headAt) * MAX_SILENCE;
}

/** The message of an exchange over a connection whose time is over, by how far it got. */
export function formatTimeout(
  { message: limit, within }: DeadlineError,
  peer: string,
  parser: HttpParser | null,
): string {
  if (parser === null) return FAILURES.tls.timeout({ limit, peer });
  const phase = phaseOf(parser);
  if (phase !== 'body') return FAILURES[phase].timeout({ limit, peer });
  return FAILURES.body.timeout({ within, size: formatBytes(parser.body.length) });
}
