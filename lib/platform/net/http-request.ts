import type { SecureContext } from 'node:tls';
import { connectGuarded } from './connect';
import { type StopSignal, startDeadline } from './deadline';
import { exchangeHttp, formatTimeout, isEndless } from './http-exchange';
import type { HttpParser } from './http-parser';
import type { IpFamily } from './icmp/icmp-packet';
import {
  type ConnectionKey,
  formatTerms,
  type KeptConnections,
  type OpenConnection,
} from './kept-connections';
import {
  createProgress,
  DeadlineError,
  type ExchangeProgress,
  type ExchangeTimings,
  formatPeer,
  inPhase,
  isClosedByPeer,
  NetError,
} from './net-error';
import { type HttpMessage, PreparedRequest } from './prepared-request';
import type { Resolver } from './resolve';
import type { TargetPolicy } from './target-policy';
import { startTls, type TlsOptions } from './tls';

/** How a request is sent. */
export type ExchangeOptions = {
  policy: TargetPolicy;
  resolver?: Resolver;
  /** Where to connect in place of the host and port of the URL. */
  connectTo?: Place | undefined;
  /** Connects only to addresses of this version of IP. */
  family?: IpFamily | undefined;
  maxBodyBytes: number;
  /**
   * Makes a 2xx response final with its headers: its body may take this many milliseconds, and is returned as far as it came,
   * however it ends. Without it, a body that is not complete is a failure.
   */
  successTailMs?: number;
  /**
   * Accepts a response without end, as far as it was read until the deadline. Server-sent events are read only until they contain this text,
   * at once if it is empty; null: until the deadline. Without it, a body that is not complete is a failure.
   */
  eventsUntil?: string | null;
  /** Whether a response is complete with its headers: its body is not read. */
  endsWithHead?: ((parser: HttpParser) => boolean) | undefined;
  /** Whether the certificate must be valid; true by default. */
  tlsVerify?: boolean;
  /** The certificate authorities to trust instead of Node's. */
  secureContext?: SecureContext;
  /** Presents a client certificate. See `createClientContext`. */
  clientContext?: SecureContext | undefined;
  /**
   * Keeps the connection open briefly for the next exchange of the same owner with the same origin, policy, TLS options and `revision`
   * of the owner.
   */
  kept?: { connections: KeptConnections; owner: string; revision?: string };
} & Limit;

type Place = { host: string; port: number };

/** Milliseconds for the whole exchange, from name resolution to the end of the body, or a signal that ends it in time. */
type Limit = { deadline: number; signal?: StopSignal } | { deadline: null; signal: StopSignal };

export type GuardedRequest = HttpMessage & ExchangeOptions;

/** A response; complete unless it exceeded `maxBodyBytes`, was final without the rest of its body (`successTailMs`), or is endless. */
export class GuardedResponse {
  readonly statusCode: number;
  /** As received: not decompressed. */
  readonly body: Buffer;
  /** Whether `body` is only the beginning. */
  readonly truncated: boolean;
  /** Set if the response did not end, and need not: until then it was read, and this is what is reported about it. */
  readonly endless: string | null;
  readonly timings: ExchangeTimings;
  readonly #parser: HttpParser;

  constructor(
    parser: HttpParser,
    readonly progress: ExchangeProgress,
    readonly remoteAddress: string,
    endless: string | null = null,
  ) {
    this.statusCode = parser.statusCode ?? 0;
    this.body = parser.body;
    this.truncated = parser.isTruncated || !parser.isComplete;
    this.endless = endless;
    this.timings = progress.timings;
    this.#parser = parser;
  }

  /** How the body is compressed, as received. */
  get contentEncoding(): string | undefined {
    return this.#parser.contentEncoding;
  }

  /** Lowercase names, values as ISO 8859-1; repeated headers are joined with commas. */
  get headers(): Record<string, string> {
    return this.#parser.head?.headers ?? {};
  }

  /** The values of `Set-Cookie`, as ISO 8859-1. */
  get setCookies(): readonly string[] {
    return this.#parser.setCookies;
  }
}

/**
 * Performs one HTTP exchange over a guarded connection, which is closed afterwards unless `kept` is set. Does
 * not follow redirects. Throws `NetError` (its `progress` shows how far the exchange got), or the signal's
 * reason.
 */
export async function requestGuarded(options: GuardedRequest): Promise<GuardedResponse> {
  return sendGuarded(new PreparedRequest(options, options.kept !== undefined), options);
}

/** The same for a request that is sent more than once. */
export async function sendGuarded(
  request: PreparedRequest,
  options: ExchangeOptions,
): Promise<GuardedResponse> {
  const { signal, release } =
    options.deadline === null
      ? { signal: options.signal, release: undefined }
      : startDeadline(options.deadline, options.signal);
  let progress = createProgress();
  try {
    const keeping = options.kept && keepingOf(request, options, options.kept);
    const reused = keeping?.connections.take(keeping.key) ?? null;
    if (reused === null) return await exchange(request, options, { reused, keeping }, progress, signal);
    try {
      return await exchange(request, options, { reused, keeping }, progress, signal);
    } catch (error) {
      if (!isStale(error, progress)) throw error;
      progress = createProgress();
      return await exchange(request, options, { reused: null, keeping }, progress, signal);
    }
  } catch (error) {
    const { remoteAddress, parser } = progress;
    const { host, port } = options.connectTo ?? request;
    const peer = formatPeer(remoteAddress ?? host, port);
    const failure = inPhase(error, (deadline) => formatTimeout(deadline, peer, parser));
    if (failure instanceof NetError) failure.progress = progress;
    throw failure;
  } finally {
    release?.();
  }
}

/** A peer may close a kept connection just as it is reused. Without a byte of a response, that is not a failure of the request. */
function isStale(error: unknown, { parser }: ExchangeProgress): boolean {
  return isClosedByPeer(error) && !parser?.hasReceived;
}

/** Where the connection of an exchange comes from and goes to, if it can be kept. */
type Keeping = { connections: KeptConnections; key: ConnectionKey };

function keepingOf(
  { isTls, host, port }: PreparedRequest,
  options: ExchangeOptions,
  { connections, owner, revision = '' }: NonNullable<ExchangeOptions['kept']>,
): Keeping {
  const origin = `${isTls ? 'https' : 'http'}://${host}:${port}`;
  return { connections, key: { owner, origin, terms: formatTerms({ ...options, revision }) } };
}

/** Performs one exchange over a reused or a new connection. */
async function exchange(
  request: PreparedRequest,
  options: ExchangeOptions,
  { reused, keeping }: { reused: OpenConnection | null; keeping: Keeping | undefined },
  progress: ExchangeProgress,
  signal: StopSignal,
): Promise<GuardedResponse> {
  const { maxBodyBytes, successTailMs, eventsUntil, endsWithHead } = options;
  const connection = reused ?? (await open(request, options, progress, signal));
  const { socket, address } = connection;
  const { port } = options.connectTo ?? request;
  progress.remoteAddress = address;
  let isKept = false;
  try {
    const parser = await exchangeHttp(socket, request, {
      maxBodyBytes,
      successTailMs,
      eventsUntil,
      endsWithHead,
      staysOpen: keeping !== undefined,
      address,
      port,
      progress,
      signal,
    });
    if (keeping && parser.isComplete && parser.canReuse) {
      keeping.connections.keep(keeping.key, connection, parser.keepAliveMs);
      isKept = true;
    }
    return new GuardedResponse(parser, progress, address);
  } catch (error) {
    const { parser } = progress;
    if (!parser) throw error;
    if (
      eventsUntil !== undefined &&
      error instanceof DeadlineError &&
      isEndless(progress, performance.now())
    ) {
      const endless = formatTimeout(error, formatPeer(address, port), parser);
      return new GuardedResponse(parser, progress, address, endless);
    }
    if (successTailMs === undefined || !parser.isSuccess) throw error;
    return new GuardedResponse(parser, progress, address);
  } finally {
    if (!isKept) connection.close();
  }
}

/** Opens a connection, with TLS for https. */
async function open(
  request: PreparedRequest,
  options: ExchangeOptions,
  progress: ExchangeProgress,
  signal: StopSignal,
): Promise<OpenConnection> {
  const { policy, resolver, family } = options;
  const { host, port } = options.connectTo ?? request;
  const openedAt = performance.now();
  const { timings } = progress;
  const onResolved = (ms: number, addresses: readonly string[]) => {
    timings.dns = ms;
    progress.addresses = addresses;
  };
  const connection = await connectGuarded({ host, port, policy, resolver, family, signal, onResolved });
  const { address, socket } = connection;
  timings.connect = connection.timings.connect;
  progress.remoteAddress = address;
  if (!request.isTls) return { socket, address, openedAt, close: () => socket.destroy() };
  const { tlsVerify: verify = true, secureContext, clientContext } = options;
  const onCertificate: TlsOptions['onCertificate'] = (presented, end) => {
    progress.certificateEnd = end;
    progress.certificate = presented;
  };
  const begun = performance.now();
  const peer = { socket, host: request.host, address, port };
  const tls = await startTls({ ...peer, verify, secureContext, clientContext, signal, onCertificate });
  timings.tls = performance.now() - begun;
  const close = () => {
    tls.destroy();
    socket.destroy();
  };
  return { socket: tls, address, openedAt, close };
}
