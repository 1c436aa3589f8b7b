import type { Socket } from 'node:net';
import { storableText } from '@/lib/core/storable-text';
import type { PresentedCertificate } from '@/lib/platform/net/certificate';
import { abortable, type StopSignal } from '@/lib/platform/net/deadline';
import { FAILURES } from '@/lib/platform/net/failures';
import { errorCode, formatPeer, inPhase, NetError } from '@/lib/platform/net/net-error';
import { startTls, type TlsOptions } from '@/lib/platform/net/tls';
import type { CertificateEnd } from '@/lib/platform/net/verified-chain';
import type { Conversation } from './protocols/exchange';

/** More than the greeting and replies of any server that is sane. */
const MAX_RECEIVED = 64 * 1024;
/** RFC 5321 permits 512 bytes, and servers do not keep to it. */
const MAX_LINE = 4096;
const MAX_DIALOG = 40;
const MAX_SHOWN = 300;
/** How much of what a server sent stands in a sentence. */
const MAX_QUOTED = 200;

/** A failure of an exchange. `detail` replaces the message for members of the organization, because it has what the server sent. */
export class ExchangeError extends NetError {
  constructor(
    message: string,
    readonly detail: string,
  ) {
    super('protocol', message);
    this.name = 'ExchangeError';
  }
}

type Options = Pick<TlsOptions, 'host' | 'address' | 'port' | 'verify' | 'secureContext'> & {
  /** The protocol, for messages. */
  name: string;
  signal: StopSignal;
};

/** What a search finds at the beginning of what was received, and how many bytes that takes. */
type Found<Value> = { value: Value; length: number };

/**
 * What is said over a connection, as lines or bytes. Every wait ends with the signal. At most 64 KiB are read. Methods throw a `NetError`,
 * with a message that names what was awaited, such as "SMTP greeting".
 */
export class SocketConversation implements Conversation {
  /** What was said, in order, as lines that begin with `>` (sent) or `<` (received): at most 40. */
  readonly dialog: string[] = [];
  /** When the first bytes arrived, on the clock of `performance.now()`. */
  firstByteAt: number | null = null;
  /** Milliseconds. */
  tlsTime: number | null = null;
  /** On the same clock. */
  securedAt: number | null = null;
  certificate: PresentedCertificate | null = null;
  certificateEnd: CertificateEnd | null = null;
  #socket: Socket;
  #received = Buffer.alloc(0);
  #total = 0;
  #end: { error: Error | null } | null = null;
  #wake: (() => void) | null = null;

  constructor(
    socket: Socket,
    readonly options: Options,
  ) {
    this.#socket = socket;
    this.#listen(socket);
  }

  get peer(): string {
    return formatPeer(this.options.address, this.options.port);
  }

  get ownAddressLiteral(): string {
    const { localAddress = '127.0.0.1' } = this.#socket;
    return localAddress.includes(':') ? `[IPv6:${localAddress}]` : `[${localAddress}]`;
  }

  get socket(): Socket {
    return this.#socket;
  }

  get isClosed(): boolean {
    return this.#end !== null;
  }

  get isSecure(): boolean {
    return this.tlsTime !== null;
  }

  get isStrict(): boolean {
    return this.options.verify;
  }

  send(line: string): void {
    this.#note('>', line);
    this.#socket.write(`${line}\r\n`);
  }

  sendBytes(bytes: Buffer | string, shown: string | null): void {
    if (shown !== null) this.#note('>', shown);
    this.#socket.write(bytes);
  }

  noteReceived(shown: string): void {
    this.#note('<', shown);
  }

  async readLine(what: string): Promise<string> {
    const line = await this.#find(what, (received) => {
      const end = received.indexOf(0x0a);
      if (end === -1 && received.length <= MAX_LINE) return null;
      if (end === -1) throw this.babble(received);
      return { value: received.toString('utf8', 0, end).replace(/\r$/, ''), length: end + 1 };
    });
    this.#note('<', line);
    return line;
  }

  readBytes(what: string, length: number): Promise<Buffer> {
    return this.#find(what, (received) =>
      received.length < length ? null : { value: Buffer.from(received.subarray(0, length)), length },
    );
  }

  async readText(isEnough: (text: string) => boolean, maxBytes: number): Promise<string> {
    let text = '';
    const search = (received: Buffer): Found<null> | null => {
      text = received.toString('utf8', 0, maxBytes);
      const isOver = this.#end !== null || received.length >= maxBytes || isEnough(text);
      return isOver ? { value: null, length: 0 } : null;
    };
    await this.#find('text', search).catch(() => undefined);
    return text;
  }

  /**
   * Negotiates TLS. What the server sent before it would have been read as if it were protected, so there must be nothing (CVE-2011-0411).
   * Throws a `NetError` of code `tls`.
   */
  async secure({ verify = this.options.verify } = {}): Promise<void> {
    if (this.#received.length > 0)
      throw new NetError('protocol', FAILURES.exchange.injected({ peer: this.peer }));
    const raw = this.#socket;
    const begun = performance.now();
    raw.removeAllListeners('data').removeAllListeners('end').removeAllListeners('close');
    const { signal } = this.options;
    try {
      this.#socket = await startTls({
        ...this.options,
        verify,
        socket: raw,
        alpn: [],
        onCertificate: (presented, end) => {
          this.certificate = presented;
          this.certificateEnd = end;
        },
      });
    } catch (error) {
      throw inPhase(error, ({ message: limit }) => FAILURES.tls.timeout({ limit, peer: this.peer }));
    }
    if (signal.aborted) throw signal.reason;
    this.securedAt = performance.now();
    this.tlsTime = this.securedAt - begun;
    this.#note('<', `TLS, ${this.certificate === null ? 'no certificate' : 'certificate received'}`);
    this.#listen(this.#socket);
  }

  async awaitClose(ms: number): Promise<void> {
    const socket = this.#socket;
    if (this.#end !== null || socket.destroyed) return;
    await abortable<void>(this.options.signal, (resolve) => {
      const finish = () => resolve();
      const timer = setTimeout(finish, ms);
      socket.once('close', finish).once('end', finish).resume();
      return () => {
        clearTimeout(timer);
        socket.off('close', finish).off('end', finish);
      };
    }).catch(() => undefined);
  }

  babble(sent: Buffer | string): ExchangeError {
    const { peer } = this;
    const { name } = this.options;
    return new ExchangeError(
      FAILURES.exchange.other({ peer, name }),
      FAILURES.exchange.otherWith({ peer, name, sent: quote(sent) }),
    );
  }

  refusal(words: string): ExchangeError {
    const { peer } = this;
    const { name } = this.options;
    return new ExchangeError(
      FAILURES.exchange.refused({ peer, name }),
      FAILURES.exchange.refusedWith({ peer, name, words: quote(words) }),
    );
  }

  unencrypted(command: string): NetError {
    return new NetError('tls', FAILURES.exchange.unencrypted({ peer: this.peer, command }));
  }

  #listen(socket: Socket): void {
    const finish = (error: Error | null = null) => {
      this.#end ??= { error: error ?? socket.errored };
      this.#wake?.();
    };
    socket.on('data', (chunk: Buffer) => {
      this.firstByteAt ??= performance.now();
      this.#total += chunk.length;
      this.#received = Buffer.concat([this.#received, chunk]);
      if (this.#total > MAX_RECEIVED) socket.pause();
      this.#wake?.();
    });
    socket.on('end', () => finish()).on('close', () => finish());
    socket.on('error', finish);
    socket.resume();
  }

  async #find<Value>(what: string, find: (received: Buffer) => Found<Value> | null): Promise<Value> {
    const { signal, name } = this.options;
    const { peer } = this;
    try {
      return await abortable<Value>(signal, (resolve, reject) => {
        const look = () => {
          try {
            const found = find(this.#received);
            if (found !== null) {
              this.#received = this.#received.subarray(found.length);
              resolve(found.value);
            } else if (this.#total > MAX_RECEIVED) reject(this.babble(this.#received));
            else if (this.#end !== null) reject(this.#closed(what));
          } catch (error) {
            reject(error);
          }
        };
        this.#wake = look;
        look();
        return () => {
          this.#wake = null;
        };
      });
    } catch (error) {
      throw inPhase(error, ({ message: limit }) => FAILURES.exchange.timeout({ limit, peer, name, what }));
    }
  }

  #closed(what: string): NetError {
    const { peer } = this;
    const { name } = this.options;
    const cause = this.#end?.error ?? null;
    const format = errorCode(cause) === 'ECONNRESET' ? FAILURES.exchange.reset : FAILURES.exchange.closed;
    // What it sent may be the end of a sentence that says why.
    const rest = this.#received.toString('utf8').trim();
    if (rest !== '') {
      this.#note('<', rest);
      return this.babble(rest);
    }
    return new NetError('connection_lost', format({ peer, name, what }), { cause });
  }

  #note(from: '>' | '<', text: string): void {
    if (this.dialog.length < MAX_DIALOG) this.dialog.push(`${from} ${storableText(text, MAX_SHOWN)}`);
  }
}

/** Part of what a server sent, on one line. */
function quote(sent: Buffer | string): string {
  const text = typeof sent === 'string' ? sent : sent.toString('utf8', 0, MAX_QUOTED * 4);
  return storableText(text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim(), MAX_QUOTED);
}
