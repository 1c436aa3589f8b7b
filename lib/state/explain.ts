import { forMembers } from '@/lib/checks/for-members';
import type { AggregateStatus } from './decide-status';
import { isCertificateExpiring } from './region';
import type { MonitorStatus, RegionState, StateConfig } from './types';
import type { Tally } from './votes';

const DAY_MS = 86_400_000;

type Change = {
  config: StateConfig;
  from: MonitorStatus;
  to: AggregateStatus;
  votes: Tally;
  consecutiveFailures: number;
  /** The region reported in the event, and its id. */
  reported: RegionState;
  region: string;
};

/** Explains a status change for the dashboard: "2 of 3 regions failed 3 checks in a row: …". */
export function explainChange(change: Change): string {
  const rule = explainRule(change);
  const cause = formatCause(change.config, change.reported, 'member');
  return change.to === 'operational' || cause === null ? rule : `${rule}: ${cause}`;
}

/** Formats what is wrong with the latest result of a region, for events or for members; null if it is good. */
export function formatCause(
  config: StateConfig,
  region: RegionState,
  reader: 'event' | 'member',
): string | null {
  const { latest, startedAt } = region;
  if (latest === null || startedAt === null || latest.kind === 'good') return null;
  const error = reader === 'member' ? forMembers(latest.error) : latest.error;
  if (latest.kind === 'failed') return error?.message ?? 'the check failed';
  if (error !== null) return error.message;
  const certificateMs = expiringIn(config, region);
  if (certificateMs !== null) return formatCertificateExpiry(certificateMs, latest.certificateName);
  return `responded in ${latest.responseTime} ms, slower than ${config.degradedThresholdMs} ms`;
}

function explainRule(change: Change): string {
  if (!change.config.isProbed) return explainCall(change);
  const { config, from, to, votes, consecutiveFailures, region } = change;
  const { voting } = votes;
  const regions = (count: number) => (voting === 1 ? region : `${count} of ${voting} regions`);

  if (to === 'down') {
    const failures = Math.max(consecutiveFailures, config.alertThreshold);
    return `${regions(votes.failing)} failed ${times(failures)}`;
  }
  if (to === 'degraded' && votes.failing > 0) {
    const verb = votes.failing === 1 ? 'is' : 'are';
    return from === 'down'
      ? `${regions(votes.failing)} ${verb} still failing; the rest recovered`
      : `${regions(votes.failing)} ${verb} failing`;
  }
  if (to === 'degraded') {
    const hasProblem = change.reported.latest?.error != null || expiringIn(config, change.reported) !== null;
    const what = hasProblem ? 'found a problem in' : 'responded slowly to';
    return `${regions(votes.slow)} ${what} ${times(config.alertThreshold)}`;
  }
  const isUnanimous = voting > 1 && votes.withVerdict === voting;
  const where = isUnanimous ? `all ${voting} regions` : regions(votes.withVerdict);
  return `${from === 'pending' ? 'Operational' : 'Recovered'} in ${where}`;
}

/** The same without regions: "Failed 2 times in a row", "Recovered with a call". */
function explainCall({ config, from, to, consecutiveFailures }: Change): string {
  if (to === 'operational') return from === 'pending' ? 'Operational since a call' : 'Recovered with a call';
  const failures = Math.max(consecutiveFailures, config.alertThreshold);
  return failures === 1 ? 'Failed' : `Failed ${failures} times in a row`;
}

function times(count: number): string {
  return count === 1 ? 'a check' : `${count} checks in a row`;
}

/** How long the certificate of a region's latest result was valid, in milliseconds; null unless it expires within the configured days. */
function expiringIn(config: StateConfig, { latest, startedAt }: RegionState): number | null {
  const expiresAt = latest?.certificateExpiresAt ?? null;
  if (expiresAt === null || startedAt === null) return null;
  return isCertificateExpiring(config, expiresAt, startedAt) ? expiresAt - startedAt : null;
}

/** Formats the time until a certificate expires: "the certificate expires in 5 days", "the intermediate certificate “R3” expires …". */
export function formatCertificateExpiry(leftMs: number, name = 'certificate'): string {
  if (leftMs < 0) return `the ${name} has expired`;
  const days = Math.floor(leftMs / DAY_MS);
  if (days === 0) return `the ${name} expires within a day`;
  return `the ${name} expires in ${days} ${days === 1 ? 'day' : 'days'}`;
}
