import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import { abortable } from './deadline';
import { type HttpHead, HttpParser, HttpSyntaxError } from './http-parser';
import { type ExchangeProgress, errorCode, formatPeer, NetError } from './net-error';

export type HttpMessage = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
};

export type HttpResponse = HttpHead & {
  /** As received: not decompressed. */
  body: Buffer;
  /** Whether the body exceeded `maxBodyBytes`. */
  truncated: boolean;
};

/** Methods that send `Content-Length: 0` when they have no body. */
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Sends one request over a connected socket and reads the response, with at most `maxBodyBytes` of its body.
 * `keepAlive` requests a connection that stays open; `canReuse` is whether it does. Fills `progress`. The caller closes the socket.
 *
 * Throws a `NetError` of code `connection_lost` or `protocol`, or the signal's reason.
 */
export function exchangeHttp(options: {
  socket: Socket;
  message: HttpMessage;
  keepAlive: boolean;
  maxBodyBytes: number;
  /** The peer, for messages. */
  peer: { address: string; port: number };
  progress: ExchangeProgress;
  signal: AbortSignal;
}): Promise<{ response: HttpResponse; canReuse: boolean }> {
  const { socket, message, keepAlive, maxBodyBytes, peer, progress, signal } = options;
  return abortable(signal, (resolve, reject) => {
    const request = encodeRequest(message, keepAlive);
    const parser = new HttpParser(message.method, maxBodyBytes);
    const startedAt = performance.now();
    let headAt: number | null = null;
    const { timings } = progress;

    const fail = (error: unknown) =>
      reject(toNetError(error, formatPeer(peer.address, peer.port), parser.hasBegun));
    const succeed = (head: HttpHead) => {
      timings.transfer = performance.now() - (headAt ?? startedAt);
      const { body, isTruncated: truncated, canReuse } = parser;
      resolve({ response: { ...head, body, truncated }, canReuse });
    };
    const read = (bytes: Buffer) => {
      try {
        parser.push(bytes);
      } catch (error) {
        return fail(error);
      }
      const { head } = parser;
      if (head === null) return;
      if (headAt === null) {
        headAt = performance.now();
        timings.firstByte = headAt - startedAt;
        progress.statusCode = head.statusCode;
      }
      if (parser.isComplete) succeed(head);
    };
    const readEnd = () => {
      parser.end();
      if (parser.head !== null && parser.isComplete) succeed(parser.head);
      else fail(null);
    };

    socket.on('data', read).on('end', readEnd).on('close', readEnd).on('error', fail);
    socket.write(request);
    return () => socket.off('data', read).off('end', readEnd).off('close', readEnd).off('error', fail);
  });
}

/** Throws a `NetError` of code `protocol`. */
function encodeRequest({ url, method, headers, body }: HttpMessage, keepAlive: boolean): Buffer {
  const sent = new Map([['host', url.host]]);
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'host') sent.set(name.toLowerCase(), value);
  }
  sent.set('connection', keepAlive ? 'keep-alive' : 'close');
  if (!sent.has('accept-encoding')) sent.set('accept-encoding', 'identity');
  const content = Buffer.from(body ?? '');
  if (body !== null || BODY_METHODS.has(method)) sent.set('content-length', String(content.length));
  try {
    // A method is a token, like a header name.
    validateHeaderName(method);
    for (const [name, value] of sent) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
  } catch (error) {
    throw new NetError('protocol', 'the request could not be sent: a header is invalid', { cause: error });
  }
  const lines = [...sent].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), content]);
}

function toNetError(error: unknown, peer: string, hasBegun: boolean): NetError {
  if (error instanceof HttpSyntaxError) return new NetError('protocol', `${peer} ${error.message}`);
  const during = hasBegun ? 'during the response' : 'before a response';
  const code = errorCode(error);
  const verb = code === 'ECONNRESET' ? 'reset' : 'closed';
  // A server may reject a client without a certificate by sending an alert after the handshake.
  const why = code.startsWith('ERR_SSL_')
    ? ` (${code.slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' ')})`
    : '';
  return new NetError('connection_lost', `connection ${verb} by ${peer} ${during}${why}`, { cause: error });
}
