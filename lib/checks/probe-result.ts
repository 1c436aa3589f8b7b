import { storableText } from '@/lib/core/storable-text';
import { isFromPeer, isNetworkLost, NetError } from '@/lib/platform/net/net-error';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { findFailure } from './assertions/evaluate';
import { NOTHING_OBSERVED, type Observed } from './assertions/observed';
import type { ProbeEnvironment } from './probe-environment';
import type { Phases, ProbeErrorCode, ProbeResult } from './result';

const NO_TIMINGS: Partial<Phases> = {};
const MAX_MESSAGE_LENGTH = 500;
const NETWORK_CODES = new Set<ProbeErrorCode>(['dns', 'connect', 'timeout', 'no_reply']);

/** What a check found apart from its outcome. */
export type ProbeFindings = {
  responseTime?: number | null;
  statusCode?: number | null;
  phases?: Partial<Phases>;
  certificateExpiresAt?: Date | null;
  certificateIssuer?: string | null;
  certificateName?: string | null;
  bodySize?: number | null;
  /** Set when an error that looks like a network failure was a reply (NXDOMAIN). */
  networkFailure?: boolean;
  address?: string | null;
};

/** The result of a successful check. Times are in milliseconds and are rounded here. */
export function createSuccess(found: ProbeFindings): ProbeResult {
  return createResult('ok', null, found);
}

/** The result of a check that failed. */
export function createFailure(code: ProbeErrorCode, message: string, found: ProbeFindings = {}): ProbeResult {
  return createResult('failed', { code, message: cleanMessage(message) }, found);
}

/**
 * The result of a check that was successful so far: what it saw is judged by the assertions of its target. One that is undecided is not a
 * failure, and the result says so.
 */
export function createJudgedResult(
  { assertions }: Pick<ProbeTarget, 'assertions'>,
  { observe }: Pick<ProbeEnvironment, 'observe'>,
  found: ProbeFindings,
  seen: () => Partial<Observed>,
): ProbeResult {
  if (assertions.length === 0 && observe === undefined) return createSuccess(found);
  const observed = { ...NOTHING_OBSERVED, ...seen() };
  observe?.(observed);
  const failure = findFailure(assertions, observed);
  if (failure === null) return createSuccess(found);
  const { summary, detail, isUndecided } = failure;
  if (isUndecided) return degrade(createSuccess(found), 'assertion', summary);
  const error = { code: 'assertion' as const, message: cleanMessage(summary), detail: cleanMessage(detail) };
  return createResult('failed', error, found);
}

/** The result if it is not a success, or else that success with what is wrong nevertheless: it counts as slow. */
export function degrade(result: ProbeResult, code: ProbeErrorCode, message: string): ProbeResult {
  return result.outcome === 'ok' ? { ...result, error: { code, message: cleanMessage(message) } } : result;
}

/** The result of a check that is inconclusive about the target. */
export function createUnknown(code: ProbeErrorCode, message: string, found: ProbeFindings = {}): ProbeResult {
  return createResult('unknown', { code, message: cleanMessage(message) }, found);
}

/** The result for an error: inconclusive if internal or the target is blocked, otherwise a failure. */
export function createResultOfError(error: unknown, found: ProbeFindings = {}): ProbeResult {
  if (!(error instanceof NetError)) {
    const message = error instanceof Error ? error.message : String(error);
    return createUnknown('unavailable', `the check could not run: ${message}`, found);
  }
  if (error.code === 'blocked' || error.code === 'unavailable') {
    return createUnknown(error.code, error.message, found);
  }
  const networkFailure = isFromPeer(error) ? false : isNetworkLost(error) || undefined;
  return createFailure(error.code, error.message, { networkFailure, ...found });
}

/** A failure with a message for members of the organization only, which may contain what the target sent. */
export function withDetail(result: ProbeResult, detail: string): ProbeResult {
  return result.error === null
    ? result
    : { ...result, error: { ...result.error, detail: cleanMessage(detail) } };
}

/** A result whose error, if it has one, is followed by a remark: `responded with 401, expected 200 (redirected: …)`. */
export function withRemark(result: ProbeResult, remark: string): ProbeResult {
  const { error } = result;
  if (error === null) return result;
  const add = (text: string) => cleanMessage(`${text} (${remark})`);
  const { detail } = error;
  const remarked = {
    ...error,
    message: add(error.message),
    ...(detail !== undefined && { detail: add(detail) }),
  };
  return { ...result, error: remarked };
}

/** Whether a result is to carry what the check saw. */
export function wantsEvidence(
  { outcome }: ProbeResult,
  { evidenceOf }: Pick<ProbeEnvironment, 'evidenceOf'>,
): boolean {
  return evidenceOf === outcome || (evidenceOf === 'any' && outcome !== 'unknown');
}

function roundPhases({ dns, connect, tls, firstByte, transfer }: Partial<Phases>): Phases {
  return {
    dns: roundMs(dns),
    connect: roundMs(connect),
    tls: roundMs(tls),
    firstByte: roundMs(firstByte),
    transfer: roundMs(transfer),
  };
}

function createResult(
  outcome: ProbeResult['outcome'],
  error: ProbeResult['error'],
  found: ProbeFindings,
): ProbeResult {
  const isNetwork = outcome === 'failed' && error !== null && NETWORK_CODES.has(error.code);
  return {
    outcome,
    responseTime: roundMs(found.responseTime),
    statusCode: found.statusCode ?? null,
    error,
    phases: roundPhases(found.phases ?? NO_TIMINGS),
    certificateExpiresAt: found.certificateExpiresAt ?? null,
    certificateIssuer: found.certificateIssuer ?? null,
    certificateName: found.certificateName ?? null,
    bodySize: found.bodySize ?? null,
    networkFailure: found.networkFailure ?? isNetwork,
    address: found.address ?? null,
    evidence: null,
  };
}

function roundMs(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : Math.max(0, Math.round(ms));
}

/** Keeps a message on one line, whatever the peer sent, and within 500 characters. */
export function cleanMessage(message: string): string {
  return storableText(message.replace(/\s+/g, ' ').trim(), MAX_MESSAGE_LENGTH);
}
