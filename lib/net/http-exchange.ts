import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { abortReason } from './deadline';
import { type KeptConnection, requestOptions } from './kept-connections';
import { type ExchangeProgress, errorCode, formatPeer, NetError } from './net-error';

const MAX_HEADER_BYTES = 32 * 1024;

export type HttpMessage = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
};

export type HttpAnswer = {
  statusCode: number;
  headers: IncomingHttpHeaders;
  /** As sent: nothing is inflated. */
  body: Buffer;
  /** Whether the body was longer than what was read. */
  truncated: boolean;
};

/**
 * Sends one request and reads the answer, at most `maxBodyBytes` of its body. Interim (1xx) answers are passed over.
 * Fills `progress`. A connected socket is closed by the caller; a kept connection is kept where the answer allows it.
 * Throws a `NetError` of code `connection_lost` or `protocol`, what opening a kept connection throws, or the signal's reason.
 */
export function exchangeHttp(options: {
  connection: Socket | KeptConnection;
  message: HttpMessage;
  maxBodyBytes: number;
  port: number;
  progress: ExchangeProgress;
  signal: AbortSignal;
}): Promise<HttpAnswer> {
  const { connection, message, maxBodyBytes, port, progress, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortReason(signal));
    const begun = performance.now();
    let headersAt: number | null = null;
    const { timings } = progress;

    let settled = false;
    const settle = (finish: () => void) => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', stop);
      finish();
    };
    const stop = () => {
      settle(() => reject(abortReason(signal)));
      outgoing.destroy();
    };
    const fail = (error: unknown) => {
      const peer = formatPeer(progress.remoteAddress ?? message.url.hostname, port);
      settle(() => reject(describeFailure(error, peer, headersAt !== null)));
    };
    const succeed = (response: IncomingMessage, chunks: Buffer[], truncated: boolean) => {
      timings.transfer = performance.now() - (headersAt ?? begun);
      const { statusCode = 0, headers } = response;
      settle(() => resolve({ statusCode, headers, body: Buffer.concat(chunks), truncated }));
    };
    const begin = (response: IncomingMessage) => {
      headersAt = performance.now();
      timings.firstByte = headersAt - begun;
      progress.statusCode = response.statusCode ?? null;
    };

    let outgoing: ClientRequest;
    try {
      outgoing = createRequest(connection, message);
    } catch (error) {
      return reject(
        new NetError('protocol', 'the request cannot be sent: a header or the path is not valid', {
          cause: error,
        }),
      );
    }
    outgoing.on('error', fail);
    outgoing.on('close', () => fail(null));
    outgoing.on('socket', (socket) => {
      progress.remoteAddress ??= socket.remoteAddress ?? null;
      progress.isReused = outgoing.reusedSocket;
    });
    outgoing.on('upgrade', (response: IncomingMessage, socket) => {
      begin(response);
      succeed(response, [], false);
      socket.destroy();
    });
    outgoing.on('response', (response) => {
      begin(response);
      readBody(response, maxBodyBytes, { succeed, fail });
    });
    signal.addEventListener('abort', stop, { once: true });
    outgoing.end(message.body ?? undefined);
  });
}

function createRequest(
  connection: Socket | KeptConnection,
  { url, method, headers, body }: HttpMessage,
): ClientRequest {
  const isKept = 'agent' in connection;
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value;
  sent.host = url.host;
  sent.connection = isKept ? 'keep-alive' : 'close';
  sent['accept-encoding'] ??= 'identity';
  // Node would leave the length out for methods that seldom have a body.
  if (body !== null) sent['content-length'] = String(Buffer.byteLength(body));
  return request({
    ...(isKept ? requestOptions(connection) : { createConnection: () => connection }),
    method,
    path: url.pathname + url.search,
    headers: sent,
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}

function readBody(
  response: IncomingMessage,
  maxBytes: number,
  on: {
    succeed(response: IncomingMessage, chunks: Buffer[], truncated: boolean): void;
    fail(error: unknown): void;
  },
): void {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  response.on('error', on.fail);
  response.on('end', () => on.succeed(response, chunks, false));
  response.on('data', (chunk: Buffer) => {
    if (room < 0) return;
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    if (room >= 0) return;
    on.succeed(response, chunks, true);
    response.destroy();
  });
}

function describeFailure(error: unknown, peer: string, answered: boolean): NetError {
  if (error instanceof NetError) return error;
  const code = errorCode(error);
  const during = answered ? 'in the middle of the answer' : 'before an answer';
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new NetError(
      'protocol',
      `the headers of the answer are larger than ${MAX_HEADER_BYTES / 1024} KiB`,
    );
  }
  if (code.startsWith('HPE_')) {
    // A peer that closes within a message is reported by the parser when the end of the stream reaches it.
    if (code === 'HPE_INVALID_EOF_STATE')
      return new NetError('connection_lost', `connection closed by ${peer} ${during}`);
    return new NetError(
      'protocol',
      `${peer} did not answer in HTTP (${code.slice(4).toLowerCase().replaceAll('_', ' ')})`,
    );
  }
  // Node reports an ordinary close as a reset too ("socket hang up", "aborted"); the system's own has a syscall.
  const verb = error instanceof Error && 'syscall' in error ? 'reset' : 'closed';
  return new NetError('connection_lost', `connection ${verb} by ${peer} ${during}`, { cause: error });
}
