import type { SecureContext } from 'node:tls';
import { connectGuarded } from './connect';
import { startDeadline } from './deadline';
import { exchangeHttp, type HttpResponse } from './http-exchange';
import type { KeptConnections, OpenConnection } from './kept-connections';
import { createProgress, type ExchangeProgress, type ExchangeTimings, NetError } from './net-error';
import type { Resolver } from './resolve';
import type { TargetPolicy } from './target-policy';
import { startTls } from './tls';

export type GuardedRequest = {
  url: string | URL;
  method: string;
  /** `Host`, `Connection` and `Content-Length` are set automatically; `Accept-Encoding` defaults to `identity`. */
  headers?: Record<string, string>;
  body?: string | Buffer | null;
  policy: TargetPolicy;
  resolver?: Resolver;
  maxBodyBytes: number;
  /** Whether the certificate must be valid; true by default. */
  tlsVerify?: boolean;
  /** The certificate authorities to trust instead of Node's. */
  secureContext?: SecureContext;
  /** Keeps the connection open briefly for the next exchange of the same owner with the same origin. */
  kept?: { connections: KeptConnections; owner: string };
} & Limit;

/** Milliseconds for the whole exchange, from name resolution to the end of the body, or a signal that ends it in time. */
type Limit = { deadline: number; signal?: AbortSignal } | { deadline: null; signal: AbortSignal };

export type GuardedResponse = HttpResponse & {
  timings: ExchangeTimings;
  remoteAddress: string;
  /** When the server's certificate expires; null without TLS. */
  certificateExpiresAt: Date | null;
  /** The issuer of the certificate. */
  certificateIssuer: string | null;
};

/**
 * Performs one HTTP exchange over a guarded connection, which is closed afterwards unless `kept` is set. Does
 * not follow redirects. Throws `NetError` (its `progress` shows how far the exchange got), or the signal's
 * reason.
 */
export async function requestGuarded(options: GuardedRequest): Promise<GuardedResponse> {
  const deadline =
    options.deadline === null
      ? { signal: options.signal, release: () => undefined }
      : startDeadline(options.deadline, options.signal);
  let progress = createProgress();
  try {
    const { kept } = options;
    const reused = kept?.connections.take(keptName(kept.owner, parseHttpUrl(options.url))) ?? null;
    if (reused === null) return await exchange(options, null, progress, deadline.signal);
    try {
      return await exchange(options, reused, progress, deadline.signal);
    } catch (error) {
      if (!isStale(error, progress)) throw error;
      progress = createProgress();
      return await exchange(options, null, progress, deadline.signal);
    }
  } catch (error) {
    if (error instanceof NetError) error.progress = progress;
    throw error;
  } finally {
    deadline.release();
  }
}

/** A peer may close a kept connection just as it is reused: that is not a failure of the request. */
function isStale(error: unknown, { statusCode }: ExchangeProgress): boolean {
  return statusCode === null && error instanceof NetError && error.code === 'connection_lost';
}

function keptName(owner: string, url: URL): string {
  return `${owner} ${url.origin}`;
}

/** Performs one exchange over a reused or a new connection. */
async function exchange(
  options: GuardedRequest,
  reused: OpenConnection | null,
  progress: ExchangeProgress,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  const { method, headers = {}, body = null, maxBodyBytes, kept } = options;
  const url = parseHttpUrl(options.url);
  const connection = reused ?? (await open(options, url, progress, signal));
  const { socket, address, close } = connection;
  progress.remoteAddress = address;
  let isKept = false;
  try {
    const { response, canReuse } = await exchangeHttp({
      socket,
      message: { url, method, headers, body },
      keepAlive: kept !== undefined,
      maxBodyBytes,
      peer: { address, port: portOf(url) },
      progress,
      signal,
    });
    if (kept && canReuse) {
      kept.connections.keep(keptName(kept.owner, url), connection);
      isKept = true;
    }
    const { timings, certificateExpiresAt, certificateIssuer } = progress;
    return { ...response, timings, remoteAddress: address, certificateExpiresAt, certificateIssuer };
  } finally {
    if (!isKept) close();
  }
}

/** Opens a connection, with TLS for https. */
async function open(
  options: GuardedRequest,
  url: URL,
  progress: ExchangeProgress,
  signal: AbortSignal,
): Promise<OpenConnection> {
  const { policy, resolver } = options;
  const port = portOf(url);
  const openedAt = performance.now();
  const { timings } = progress;
  const onResolved = (ms: number) => {
    timings.dns = ms;
  };
  const connection = await connectGuarded({ host: url.hostname, port, policy, resolver, signal, onResolved });
  const { address, socket } = connection;
  timings.connect = connection.timings.connect;
  progress.remoteAddress = address;
  if (url.protocol !== 'https:') return { socket, address, openedAt, close: () => socket.destroy() };
  const { tlsVerify: verify = true, secureContext } = options;
  const onCertificate = (certificate: { expiresAt: Date; issuer: string | null }) => {
    progress.certificateExpiresAt = certificate.expiresAt;
    progress.certificateIssuer = certificate.issuer;
  };
  const begun = performance.now();
  const peer = { socket, host: url.hostname, address, port };
  const tls = await startTls({ ...peer, verify, secureContext, signal, onCertificate });
  timings.tls = performance.now() - begun;
  const close = () => {
    tls.destroy();
    socket.destroy();
  };
  return { socket: tls, address, openedAt, close };
}

function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}

function parseHttpUrl(url: string | URL): URL {
  const parsed = URL.canParse(url.toString()) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new NetError('protocol', 'the target is not an http or https URL');
  }
  return parsed;
}
