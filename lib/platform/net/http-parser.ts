import { ONLY_HTTP2 } from './failures';

/** Limit for the status line and headers, or the trailers. */
const MAX_HEAD_BYTES = 64 * 1024;
/** Chunk extensions are ignored. */
const MAX_CHUNK_LINE_BYTES = 16 * 1024;
const STATUS_LINE = /^HTTP\/(\d+(?:\.\d+)?)[ \t]+([1-9]\d\d)(?!\d)/i;
const CHUNK_SIZE = /^[ \t]*([0-9a-f]{1,16})(?![0-9a-f])/i;
const KEEP_ALIVE_TIMEOUT = /(?:^|[,;\s])timeout\s*=\s*"?(\d{1,9})/i;
const EMPTY = Buffer.alloc(0);
const NONE: readonly string[] = [];
/** The first value wins if the server repeats one of these; all other headers are joined. */
const SINGLE_HEADERS = new Set(['location', 'content-type']);

export type HttpHead = {
  statusCode: number;
  /** Lowercase names, values as ISO 8859-1; repeated headers are joined with commas. */
  headers: Record<string, string>;
};

/** The response is not valid HTTP. The message completes a sentence about the server: `sent a chunk without a size`. */
export class HttpSyntaxError extends Error {}

type State = 'status' | 'headers' | 'sized' | 'endless' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers';

/**
 * Incrementally parses one response, as leniently as curl and browsers: a response that is only read and
 * never forwarded cannot smuggle anything. Skips interim (1xx) responses. Throws `HttpSyntaxError`.
 */
export class HttpParser {
  /** Set once the headers are complete. */
  statusCode: number | null = null;
  /** As received: `HTTP/1.1 503 Service Unavailable`. */
  statusLine = '';
  isComplete = false;
  /** Whether the body exceeded `maxBodyBytes`; the rest is not read. */
  isTruncated = false;
  /** Whether the connection can carry another request. */
  canReuse = false;
  /** Whether anything has arrived, also if it is no part of a response yet. */
  hasReceived = false;

  readonly #method: string;
  readonly #maxBodyBytes: number;
  #state: State = 'status';
  #line = '';
  #headBytes = 0;
  #version = 1.1;
  #status = 0;
  #headers = new Map<string, string>();
  #setCookies: string[] | null = null;
  #lastName: string | null = null;
  /** Of the whole body; null if that is not known before its end. */
  #length: number | null = null;
  /** Bytes of the body or chunk still to come. */
  #remaining = 0;
  /** Copied, so small bodies do not keep large network buffers in memory. */
  #body = EMPTY;
  #bodyBytes = 0;

  constructor(method: string, maxBodyBytes: number) {
    this.#method = method;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** Null until the headers are complete. Created when it is asked for: most checks do not need it. */
  get head(): HttpHead | null {
    if (this.statusCode === null) return null;
    return { statusCode: this.statusCode, headers: Object.fromEntries(this.#headers) };
  }

  /** The values of `Set-Cookie`, one by one: they contain commas. */
  get setCookies(): readonly string[] {
    return this.#setCookies ?? NONE;
  }

  /** How the body is compressed, as received: reading all headers would cost every check that has a keyword. */
  get contentEncoding(): string | undefined {
    return this.#headers.get('content-encoding');
  }

  /** Whether the headers are complete, with a status of 2xx. */
  get isSuccess(): boolean {
    return this.statusCode !== null && this.statusCode >= 200 && this.statusCode < 300;
  }

  /** Whether any of the response has arrived. */
  get hasBegun(): boolean {
    return this.#state !== 'status' || this.#line !== '';
  }

  /** Whether the headers are complete, and the body has no length. */
  get hasNoLength(): boolean {
    return this.statusCode !== null && this.#length === null;
  }

  /** Whether more of the body may come than is read. */
  get mayExceed(): boolean {
    return this.hasNoLength || (this.#length ?? 0) > this.#maxBodyBytes;
  }

  /** Whether the body consists of server-sent events. */
  get isEventStream(): boolean {
    return /^text\/event-stream\s*(;|$)/i.test(this.#headers.get('content-type') ?? '');
  }

  /** The server's own idle timeout from `Keep-Alive`, in milliseconds, or null if it sends none. */
  get keepAliveMs(): number | null {
    const [, seconds] = KEEP_ALIVE_TIMEOUT.exec(this.#headers.get('keep-alive') ?? '') ?? [];
    return seconds === undefined ? null : Number(seconds) * 1000;
  }

  get body(): Buffer {
    return this.#body.subarray(0, this.#bodyBytes);
  }

  push(bytes: Buffer): void {
    this.hasReceived = true;
    let at = 0;
    while (at < bytes.length && !this.isComplete) {
      at = this.#isInBody() ? this.#readBody(bytes, at) : this.#readLine(bytes, at);
    }
    if (at < bytes.length) this.canReuse = false;
  }

  /** The connection has ended, which completes a response without a length. */
  end(): void {
    if (this.#state === 'endless') this.isComplete = true;
    this.canReuse = false;
  }

  #isInBody(): boolean {
    return this.#state === 'sized' || this.#state === 'endless' || this.#state === 'chunk';
  }

  #readBody(bytes: Buffer, from: number): number {
    const to = Math.min(bytes.length, from + this.#remaining);
    this.#remaining -= to - from;
    if (!this.#keep(bytes.subarray(from, to))) {
      this.isTruncated = true;
      this.canReuse = false;
      this.isComplete = true;
    } else if (this.#remaining === 0) {
      if (this.#state === 'chunk') this.#state = 'chunk-end';
      else this.isComplete = true;
    }
    return to;
  }

  /** Returns false when the limit cut the bytes off. */
  #keep(bytes: Buffer): boolean {
    const total = Math.min(this.#bodyBytes + bytes.length, this.#maxBodyBytes);
    if (total > this.#body.length) {
      const size = Math.min(Math.max(total, this.#body.length * 2), this.#maxBodyBytes);
      // Not of the pool, whose slabs a small body would keep in memory.
      const body = Buffer.allocUnsafeSlow(size);
      this.body.copy(body);
      this.#body = body;
    }
    const kept = bytes.copy(this.#body, this.#bodyBytes, 0, total - this.#bodyBytes);
    this.#bodyBytes += kept;
    return kept === bytes.length;
  }

  #readLine(bytes: Buffer, from: number): number {
    const feed = bytes.indexOf(0x0a, from);
    const to = feed === -1 ? bytes.length : feed;
    this.#headBytes += to - from + 1;
    const isChunkLine = this.#state === 'chunk-size';
    if (this.#headBytes > (isChunkLine ? MAX_CHUNK_LINE_BYTES : MAX_HEAD_BYTES)) {
      throw new HttpSyntaxError(
        isChunkLine ? 'sent a chunk without a size' : `sent headers larger than ${MAX_HEAD_BYTES / 1024} KiB`,
      );
    }
    const isStart = this.#line.length < 5;
    this.#line += bytes.toString('latin1', from, to);
    if (feed === -1) {
      // Reject invalid status lines early: they may never end.
      if (this.#state === 'status' && isStart) requireStatusLineStart(this.#line);
      if (this.#state === 'chunk-end') requireChunkEnd(this.#line);
      return to;
    }
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    this.#line = '';
    this.#takeLine(line);
    return feed + 1;
  }

  #takeLine(line: string): void {
    switch (this.#state) {
      case 'status':
        if (line !== '') this.#takeStatusLine(line);
        return;
      case 'headers':
        if (line === '') this.#finishHead();
        else this.#takeHeader(line);
        return;
      case 'chunk-size':
        this.#headBytes = 0;
        this.#takeChunkSize(line);
        return;
      case 'chunk-end':
        requireChunkEnd(line);
        this.#headBytes = 0;
        this.#state = 'chunk-size';
        return;
      default:
        // Trailers are ignored.
        if (line === '') this.isComplete = true;
    }
  }

  #takeStatusLine(line: string): void {
    requireStatusLineStart(line);
    const match = STATUS_LINE.exec(line);
    if (!match) throw new HttpSyntaxError('sent a status line without a valid status');
    this.statusLine = line;
    this.#version = Number(match[1]);
    this.#status = Number(match[2]);
    this.#headers.clear();
    this.#setCookies = null;
    this.#lastName = null;
    this.#state = 'headers';
  }

  #takeHeader(line: string): void {
    if (line.includes('\0')) throw new HttpSyntaxError('sent a NUL byte in its headers');
    if (line.startsWith(' ') || line.startsWith('\t')) {
      // A folded line continues the previous header.
      if (this.#lastName !== null) this.#append(this.#lastName, ' ', line.trim());
      return;
    }
    const colon = line.indexOf(':');
    if (colon === -1) throw new HttpSyntaxError('sent a header without a colon');
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    this.#lastName = null;
    if (SINGLE_HEADERS.has(name) && this.#headers.has(name)) return;
    this.#lastName = name;
    this.#append(name, ', ', value);
    if (name !== 'set-cookie') return;
    this.#setCookies ??= [];
    this.#setCookies.push(value);
  }

  #append(name: string, separator: string, value: string): void {
    const before = this.#headers.get(name);
    this.#headers.set(name, before === undefined ? value : `${before}${separator}${value}`);
  }

  #finishHead(): void {
    const status = this.#status;
    // 101 is not interim: another protocol follows.
    if (status < 200 && status !== 101) {
      this.#state = 'status';
      return;
    }
    this.statusCode = status;
    this.#headBytes = 0;
    this.canReuse = status !== 101 && this.#persists();
    this.#frameBody(status);
  }

  /** RFC 9112, section 6.3. */
  #frameBody(status: number): void {
    if (this.#method === 'HEAD' || status === 101 || status === 204 || status === 304) {
      this.isComplete = true;
      return;
    }
    const codings = listTokens(this.#headers.get('transfer-encoding')).filter((one) => one !== 'identity');
    // A server that states both may have meant either end (RFC 9112, section 6.1).
    if (codings.length > 0 && this.#headers.has('content-length')) this.canReuse = false;
    if (codings.at(-1) === 'chunked') {
      this.#state = 'chunk-size';
      return;
    }
    const length = codings.length > 0 ? null : readLength(this.#headers.get('content-length'));
    this.#state = length === null ? 'endless' : 'sized';
    this.#length = length;
    this.#remaining = length ?? Number.POSITIVE_INFINITY;
    this.isComplete = length === 0;
  }

  #takeChunkSize(line: string): void {
    const match = CHUNK_SIZE.exec(line);
    if (!match) throw new HttpSyntaxError('sent a chunk without a size');
    this.#remaining = Number.parseInt(match[1] ?? '', 16);
    this.#state = this.#remaining === 0 ? 'trailers' : 'chunk';
  }

  #persists(): boolean {
    const options = listTokens(this.#headers.get('connection'));
    return this.#version < 1.1 ? options.includes('keep-alive') : !options.includes('close');
  }
}

function requireStatusLineStart(line: string): void {
  if ('http/'.startsWith(line.slice(0, 5).toLowerCase()) || line === '\r') return;
  // The settings with which HTTP/2 begins.
  const isHttp2 = line.startsWith('\0\0') && line[3] === '\x04';
  if (isHttp2) throw new HttpSyntaxError(ONLY_HTTP2);
  // A TLS alert: the server took the request for a handshake.
  const isTls = line.startsWith('\x15\x03');
  throw new HttpSyntaxError(isTls ? 'requires TLS; use https' : 'sent bytes that are not HTTP');
}

function requireChunkEnd(line: string): void {
  if (line !== '' && line !== '\r') throw new HttpSyntaxError('sent a chunk longer than its size');
}

/** The body length; null if the body ends with the connection. */
function readLength(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const texts = value.split(',').map((text) => text.trim());
  if (!texts.every((text) => /^\d+$/.test(text))) {
    throw new HttpSyntaxError('sent a Content-Length that is not a number');
  }
  const [length = 0, ...others] = texts.map(Number);
  if (others.some((other) => other !== length))
    throw new HttpSyntaxError('sent conflicting Content-Length values');
  return Number.isSafeInteger(length) ? length : null;
}

function listTokens(value: string | undefined): readonly string[] {
  if (value === undefined) return NONE;
  return value
    .split(',')
    .map((token) => token.trim().toLowerCase())
    .filter((token) => token !== '');
}
