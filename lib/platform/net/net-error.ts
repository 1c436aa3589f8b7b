import { formatTiming } from '@/lib/core/time/duration';
import type { PresentedCertificate } from './certificate';
import type { HttpParser } from './http-parser';
import type { CertificateEnd } from './verified-chain';

/** Machine-readable reason why a network exchange failed; `status`: what was exchanged, because of the status of the response. */
export type NetErrorCode =
  | 'timeout'
  | 'dns'
  | 'connect'
  | 'connection_lost'
  | 'tls'
  | 'status'
  | 'protocol'
  | 'blocked'
  | 'unavailable';

/** Milliseconds per phase of an exchange; null when a phase did not happen or did not finish. */
export type ExchangeTimings = Record<'dns' | 'connect' | 'tls' | 'firstByte' | 'transfer', number | null>;

/** How far an exchange got; null fields were not reached. */
export type ExchangeProgress = {
  timings: ExchangeTimings;
  statusCode: number | null;
  remoteAddress: string | null;
  /** The addresses that the name resolved to; null for a literal address. */
  addresses: readonly string[] | null;
  /** Of the certificates that were verified, the one that ends first. */
  certificateEnd: CertificateEnd | null;
  certificate: PresentedCertificate | null;
  /** What was received of the response. */
  parser: HttpParser | null;
  /** When its headers were complete, and when its last bytes arrived, on the clock of `performance.now()`. */
  headAt: number | null;
  receivedAt: number | null;
};

/** A failure of the network or the peer; `message` is human-readable and actionable. */
export class NetError extends Error {
  /** How far the exchange got; set by `requestGuarded`. */
  progress: ExchangeProgress | null = null;

  constructor(
    readonly code: NetErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'NetError';
  }
}

/** The time of an exchange is over. What noticed it knows the phase: see `inPhase`. */
export class DeadlineError extends NetError {
  /** The time that the exchange had: `10s`. */
  readonly within: string;

  /** `what` did not happen within `ms` milliseconds. */
  constructor(what: string, ms: number) {
    const within = formatTiming(ms);
    super('timeout', `${what} within ${within}`);
    this.name = 'DeadlineError';
    this.within = within;
  }
}

/** The same error; if it is a `DeadlineError`, a timeout with a message that states the phase. */
export function inPhase(error: unknown, format: (error: DeadlineError) => string): unknown {
  return error instanceof DeadlineError ? new NetError('timeout', format(error), { cause: error }) : error;
}

/** The target policy blocks the target. The message omits the address, which could reveal the internal network. */
export class BlockedTargetError extends NetError {
  constructor() {
    super('blocked', 'this target address is not allowed');
    this.name = 'BlockedTargetError';
  }
}

/** A host has addresses, but none of the version of IP that is asked for. */
export class MissingFamilyError extends NetError {
  constructor(message: string) {
    super('dns', message);
    this.name = 'MissingFamilyError';
  }
}

/** Progress before the exchange starts. */
export function createProgress(): ExchangeProgress {
  return {
    timings: { dns: null, connect: null, tls: null, firstByte: null, transfer: null },
    statusCode: null,
    remoteAddress: null,
    addresses: null,
    certificateEnd: null,
    certificate: null,
    parser: null,
    headAt: null,
    receivedAt: null,
  };
}

/** The error code of the system or library (`ECONNREFUSED`), or an empty string. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Formats an address and port for messages: `10.0.0.5:443`, `[::1]:80`. */
export function formatPeer(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

const PEER_CODES = new Set(['ECONNREFUSED', 'ECONNRESET']);

/** Whether an error is a response: the peer refused or reset the connection, or its name was resolved, so the network works. */
export function isFromPeer(error: unknown): boolean {
  if (error instanceof MissingFamilyError) return true;
  return error instanceof NetError && PEER_CODES.has(errorCode(error.cause));
}

const CLOSED_CODES = new Set(['', 'ECONNRESET', 'EPIPE']);

/** Whether the peer closed or reset a connection that was open. */
export function isClosedByPeer(error: unknown): boolean {
  return (
    error instanceof NetError && error.code === 'connection_lost' && CLOSED_CODES.has(errorCode(error.cause))
  );
}

const LOST_CODES = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']);

/** Whether a connection was lost because the network failed under it. */
export function isNetworkLost(error: unknown): boolean {
  return error instanceof NetError && LOST_CODES.has(errorCode(error.cause));
}
