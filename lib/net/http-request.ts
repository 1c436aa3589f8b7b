import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { connectGuarded } from './connect';
import { startDeadline } from './deadline';
import { exchangeHttp, type HttpAnswer } from './http-exchange';
import {
  createProgress,
  type ExchangeProgress,
  type ExchangeTimings,
  formatPeer,
  NetError,
} from './net-error';
import type { Resolver } from './resolve';
import type { TargetPolicy } from './target-policy';
import { startTls } from './tls';

export type GuardedRequest = {
  url: string | URL;
  method: string;
  /** `Host`, `Connection` and `Content-Length` are set here; `Accept-Encoding: identity` unless it is given. */
  headers?: Record<string, string>;
  body?: string | Buffer | null;
  policy: TargetPolicy;
  resolver?: Resolver;
  /** Milliseconds for the whole exchange, from the resolution of the name to the end of the body. */
  deadline: number;
  /** How much of the body is read at most. */
  maxBodyBytes: number;
  /** Whether the certificate must be valid; true unless set. */
  tlsVerify?: boolean;
  /** The authorities to trust instead of Node's. */
  secureContext?: SecureContext;
  signal?: AbortSignal;
};

export type GuardedResponse = HttpAnswer & {
  timings: ExchangeTimings;
  remoteAddress: string;
  /** When the server's certificate ends; null without TLS. */
  certificateExpiresAt: Date | null;
};

/**
 * One HTTP exchange on a fresh, guarded connection. Redirects are not followed. Nothing stays open afterwards.
 * Throws `NetError` (its `progress` says how far the exchange came), or the signal's reason.
 */
export async function requestGuarded(options: GuardedRequest): Promise<GuardedResponse> {
  const progress = createProgress();
  const deadline = startDeadline(options.deadline, options.signal);
  try {
    return await exchange(options, progress, deadline.signal);
  } catch (error) {
    if (error instanceof NetError) error.progress = progress;
    throw error;
  } finally {
    deadline.release();
  }
}

async function exchange(
  options: GuardedRequest,
  progress: ExchangeProgress,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  const { method, headers = {}, body = null, policy, resolver, maxBodyBytes } = options;
  const url = parseHttpUrl(options.url);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const { timings } = progress;
  const onResolved = (ms: number) => {
    timings.dns = ms;
  };
  const connection = await connectGuarded({ host: url.hostname, port, policy, resolver, signal, onResolved });
  const { address } = connection;
  timings.connect = connection.timings.connect;
  progress.remoteAddress = address;
  let socket: Socket = connection.socket;
  try {
    if (url.protocol === 'https:')
      socket = await secure(options, { socket, url, address, port }, progress, signal);
    const answer = await exchangeHttp({
      socket,
      message: { url, method, headers, body },
      maxBodyBytes,
      peer: formatPeer(address, port),
      progress,
      signal,
    });
    return {
      ...answer,
      timings,
      remoteAddress: address,
      certificateExpiresAt: progress.certificateExpiresAt,
    };
  } finally {
    socket.destroy();
    connection.socket.destroy();
  }
}

async function secure(
  { tlsVerify = true, secureContext }: GuardedRequest,
  peer: { socket: Socket; url: URL; address: string; port: number },
  progress: ExchangeProgress,
  signal: AbortSignal,
): Promise<Socket> {
  const begun = performance.now();
  const { socket, url, address, port } = peer;
  const onCertificate = (expiresAt: Date) => {
    progress.certificateExpiresAt = expiresAt;
  };
  const tls = await startTls({
    socket,
    host: url.hostname,
    address,
    port,
    verify: tlsVerify,
    secureContext,
    signal,
    onCertificate,
  });
  progress.timings.tls = performance.now() - begun;
  return tls;
}

function parseHttpUrl(url: string | URL): URL {
  const parsed = URL.canParse(url.toString()) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new NetError('protocol', 'the address is not an http or https URL');
  }
  return parsed;
}
