import type { Evidence } from './evidence';

/** The phases of a check, in order, with their display names. */
export const PHASES = [
  { key: 'dns', label: 'DNS' },
  { key: 'connect', label: 'Connect' },
  { key: 'tls', label: 'TLS' },
  { key: 'firstByte', label: 'First byte' },
  { key: 'transfer', label: 'Transfer' },
] as const;
export type PhaseName = (typeof PHASES)[number]['key'];

/** Milliseconds per phase; null when the phase did not happen or was not reached. */
export type Phases = Record<PhaseName, number | null>;

export const NO_PHASES: Phases = { dns: null, connect: null, tls: null, firstByte: null, transfer: null };

/** Why checks fail, or are inconclusive. */
export const PROBE_ERROR_CODES = [
  'timeout',
  'dns',
  'connect',
  'connection_lost',
  'tls',
  'status',
  'keyword',
  'assertion',
  'redirect',
  'protocol',
  'no_record',
  'unexpected_record',
  'no_reply',
  'late',
  'reported',
  'blocked',
  'unavailable',
] as const;
export type ProbeErrorCode = (typeof PROBE_ERROR_CODES)[number];

export type ProbeError = {
  code: ProbeErrorCode;
  /** Human-readable and actionable: "connection refused by 10.0.0.5:443". At most 500 characters. */
  message: string;
  /** For members of the organization only, in place of `message`, if it contains what the target sent. */
  detail?: string;
};

/**
 * The result of one check. `unknown` is inconclusive: the address is no longer allowed, or this worker cannot
 * probe (no ICMP). It never counts as a failure.
 */
export type ProbeResult = {
  outcome: 'ok' | 'failed' | 'unknown';
  /** Whole milliseconds; null when there was no response. */
  responseTime: number | null;
  statusCode: number | null;
  /** Why it failed or is inconclusive. Of a successful check: what is wrong although it succeeded, which counts as slow. */
  error: ProbeError | null;
  phases: Phases;
  /** When the first of the certificates ends that the check depended on: of all redirects, and up to the authority if that is verified. */
  certificateExpiresAt: Date | null;
  certificateIssuer: string | null;
  /** Which one it is: `intermediate certificate “R3”`, `certificate of www.example.com`. Null: that of the target itself. */
  certificateName: string | null;
  /** Bytes of the response body that were read; null without a body. */
  bodySize: number | null;
  /**
   * True when the network failed (a lookup without answer, no route, a timeout), perhaps that of the watcher itself. A refused
   * connection is a response.
   */
  networkFailure: boolean;
  /** The address that responded, or that was attempted first: of a dns check, that of the resolver. Null or absent: unknown. */
  address?: string | null;
  /** Shows what the check saw; null unless `evidenceOf` of its environment asks for it. Keeps the response in memory. */
  evidence: (() => Evidence) | null;
};
