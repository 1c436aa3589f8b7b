import type { Picture, Tally } from './aggregate-status';
import { isCertificateEnding } from './region';
import type { MonitorStatus, RegionState, StateConfig } from './types';

const DAY_MS = 86_400_000;

type Change = {
  config: StateConfig;
  from: MonitorStatus;
  to: Picture;
  votes: Tally;
  consecutiveFailures: number;
  /** The region whose latest result the event tells, and its id. */
  spokesman: RegionState;
  region: string;
};

/** The rule behind a change of status in words, for the dashboard: "2 of 3 regions failed 3 checks in a row: …". */
export function explainChange(change: Change): string {
  const rule = explainRule(change);
  const cause = describeCause(change.config, change.spokesman);
  return change.to === 'operational' || cause === null ? rule : `${rule}: ${cause}`;
}

/** What is wrong with the latest result of a region, in words; null when nothing is. */
export function describeCause(config: StateConfig, region: RegionState): string | null {
  const { latest, startedAt } = region;
  if (latest === null || startedAt === null || latest.kind === 'good') return null;
  if (latest.kind === 'failed') return latest.error?.message ?? 'the check failed';
  if (isCertificateEnding(config, latest.certificateExpiresAt, startedAt)) {
    return describeCertificate((latest.certificateExpiresAt ?? startedAt) - startedAt);
  }
  return `answered in ${latest.responseTime} ms, more than ${config.degradedThresholdMs} ms`;
}

function explainRule({ config, from, to, votes, consecutiveFailures, region }: Change): string {
  const regions = (count: number) => (votes.voting === 1 ? region : `${count} of ${votes.voting} regions`);

  if (to === 'down') {
    const failures = Math.max(consecutiveFailures, config.alertThreshold);
    return `${regions(votes.failing)} failed ${times(failures)}`;
  }
  if (to === 'degraded' && votes.failing > 0) {
    const failing = `${regions(votes.failing)} ${votes.failing === 1 ? 'keeps' : 'keep'} failing`;
    return from === 'down' ? `${failing}, the rest recovered` : failing;
  }
  if (to === 'degraded') {
    return `${regions(votes.slow)} answered slowly ${times(config.alertThreshold)}`;
  }
  const answering = `${regions(votes.withVerdict)} ${votes.withVerdict === 1 ? 'answers' : 'answer'}`;
  return from === 'pending' ? answering : `${answering} again`;
}

function times(count: number): string {
  return count === 1 ? 'a check' : `${count} checks in a row`;
}

function describeCertificate(leftMs: number): string {
  if (leftMs < 0) return 'the certificate has ended';
  const days = Math.floor(leftMs / DAY_MS);
  if (days === 0) return 'the certificate ends within a day';
  return `the certificate ends in ${days} ${days === 1 ? 'day' : 'days'}`;
}
