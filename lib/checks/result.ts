/** The phases that a check can have, in their order, as screens name them. */
export const PHASES = [
  { key: 'dns', label: 'DNS' },
  { key: 'connect', label: 'Connect' },
  { key: 'tls', label: 'TLS' },
  { key: 'firstByte', label: 'First byte' },
  { key: 'transfer', label: 'Download' },
] as const;

export type PhaseName = (typeof PHASES)[number]['key'];

/** Milliseconds that each phase of a check took; null where the phase did not happen or was not reached. */
export type Phases = Record<PhaseName, number | null>;

export const NO_PHASES: Phases = { dns: null, connect: null, tls: null, firstByte: null, transfer: null };

/** Why a check failed, as a word for machines. */
export type ProbeErrorCode =
  | 'timeout'
  | 'dns'
  | 'connect'
  | 'connection_lost'
  | 'tls'
  | 'status'
  | 'keyword'
  | 'redirect'
  | 'protocol'
  | 'no_record'
  | 'no_reply'
  | 'blocked'
  | 'unavailable';

export type ProbeError = {
  code: ProbeErrorCode;
  /** In words that a person can act on: "connection refused by 10.0.0.5:443". Never longer than 500 characters. */
  message: string;
};

/**
 * What one check found. `unknown` says nothing about the target: the address is not allowed any more, or this
 * worker cannot probe (no ICMP); such a result never counts as a failure.
 */
export type ProbeResult = {
  outcome: 'ok' | 'failed' | 'unknown';
  /** Milliseconds, whole; null when nothing responded. */
  responseTime: number | null;
  statusCode: number | null;
  error: ProbeError | null;
  phases: Phases;
  /** When the server's certificate ends, for TLS targets. */
  certificateExpiresAt: Date | null;
  /** Who signed it. */
  certificateIssuer: string | null;
  /** Bytes of the response's body, as far as it was read; null where there is none. */
  bodySize: number | null;
  /** True where the network failed (DNS, connect, timeout) rather than the target: a sign of the watcher's own outage. */
  networkFailure: boolean;
};
