import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import { parseUrl } from '@/lib/core/parse-url';
import { NetError } from './net-error';

export type HttpMessage = {
  url: string | URL;
  method: string;
  /** `Host`, `Connection` and `Content-Length` are set automatically; `Accept-Encoding` defaults to `identity`. */
  headers?: Record<string, string>;
  body?: string | Buffer | null;
};

/** Methods that send `Content-Length: 0` when they have no body. */
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

/** A request whose URL is parsed once and whose head is written once, however often it is sent. */
export class PreparedRequest {
  readonly method: string;
  /** As in the URL: IPv6 addresses are in brackets. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** Until it is sent for the first time. */
  #source: { url: URL; message: HttpMessage; keepAlive: boolean } | null;
  /** In ISO 8859-1: there is one request per monitor, and a buffer takes several times the memory of a short text. */
  #head = '';
  #body: string | Buffer | null = null;

  /** `keepAlive` requests a connection that stays open. Throws a `NetError` of code `protocol` unless the URL is http or https. */
  constructor(message: HttpMessage, keepAlive = false) {
    const url = readTarget(message.url);
    this.method = message.method;
    this.host = url.hostname;
    this.isTls = url.protocol === 'https:';
    this.port = Number(url.port) || (this.isTls ? 443 : 80);
    this.#source = { url, message, keepAlive };
  }

  /** Writes the request to a connection. Throws a `NetError` of code `protocol`, before it writes anything. */
  send(socket: Socket): void {
    if (this.#source !== null) {
      const { url, message, keepAlive } = this.#source;
      this.#head = writeHead(url, message, keepAlive);
      this.#body = message.body || null;
      this.#source = null;
    }
    socket.cork();
    socket.write(this.#head, 'latin1');
    if (this.#body !== null) socket.write(this.#body);
    socket.uncork();
  }
}

function readTarget(url: string | URL): URL {
  const parsed = typeof url === 'string' ? parseUrl(url) : url;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new NetError('protocol', 'the target is not an http or https URL');
  }
  return parsed;
}

function writeHead(url: URL, { method, headers = {}, body = null }: HttpMessage, keepAlive: boolean): string {
  const sent = new Map([['host', url.host]]);
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'host') sent.set(name.toLowerCase(), value);
  }
  sent.set('connection', keepAlive ? 'keep-alive' : 'close');
  if (!sent.has('accept-encoding')) sent.set('accept-encoding', 'identity');
  if (body !== null || BODY_METHODS.has(method)) {
    sent.set('content-length', String(Buffer.byteLength(body ?? '')));
  }
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
  // A copy in one piece instead of the tree of its parts.
  return Buffer.from(head, 'latin1').toString('latin1');
}
