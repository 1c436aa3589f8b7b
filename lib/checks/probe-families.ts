import { memoizeByObject } from '@/lib/core/calls/memoize';
import type { IpFamily } from '@/lib/platform/net/icmp/icmp-packet';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { Observed } from './assertions/observed';
import { type Evidence, listAddresses } from './evidence';
import type { ProbeEnvironment } from './probe-environment';
import { cleanMessage } from './probe-result';
import type { ProbeError, ProbeResult } from './result';
import { hasFieldGroup } from './types';

type RunProbe = (target: ProbeTarget, env: ProbeEnvironment) => Promise<ProbeResult>;

const FAMILIES = { any: undefined, 4: 4, 6: 6, both: undefined } as const;

/** The only version of IP that checks of a target may use; undefined: any. */
export function familyOf({ ipVersion }: Pick<ProbeTarget, 'ipVersion'>): IpFamily | undefined {
  return FAMILIES[ipVersion];
}

/** Whether each check of a target is done over both versions of IP. */
export function isOverBoth({ type, ipVersion }: Pick<ProbeTarget, 'type' | 'ipVersion'>): boolean {
  return ipVersion === 'both' && hasFieldGroup(type, 'connection');
}

/** Two targets of one version each, always the same: what a check prepares is kept with its target. */
const divide = memoizeByObject((target: ProbeTarget) => [
  { label: 'IPv4', target: { ...target, ipVersion: '4' as const } },
  { label: 'IPv6', target: { ...target, ipVersion: '6' as const } },
]);

/** What came of a check over one version. */
type Part = { label: string; result: ProbeResult; observed: Observed | null };

/** Of the outcomes of both, the first of these is that of the check. */
const OUTCOMES = ['failed', 'unknown', 'ok'] as const;

/**
 * Probes a target over IPv4 and IPv6 at the same time. The check fails if either fails, and its message states which. Response time, phases
 * and all else are those of the slower one that decides the outcome, but of the certificates the one that ends first.
 */
export async function probeOverBoth(
  probe: RunProbe,
  target: ProbeTarget,
  env: ProbeEnvironment,
): Promise<ProbeResult> {
  const parts = await Promise.all(
    divide(target).map(async ({ label, target: one }): Promise<Part> => {
      let observed: Observed | null = null;
      const observe =
        env.observe &&
        ((seen: Observed) => {
          observed = seen;
        });
      const result = await probe(one, { ...env, observe });
      return { label, result, observed };
    }),
  );
  const outcome = OUTCOMES.find((each) => parts.some(({ result }) => result.outcome === each));
  const deciding = parts.filter(({ result }) => result.outcome === outcome);
  const shown = deciding.reduce((a, b) => (timeOf(b.result) > timeOf(a.result) ? b : a));
  if (shown.observed !== null) env.observe?.(shown.observed);
  const { certificateExpiresAt, certificateIssuer, certificateName } = firstToEnd(parts);
  return {
    ...shown.result,
    error: joinErrors(deciding),
    certificateExpiresAt,
    certificateIssuer,
    certificateName,
    networkFailure: deciding.every(({ result }) => result.networkFailure),
    evidence: shown.result.evidence && showBoth(shown.result.evidence, parts),
  };
}

const timeOf = ({ responseTime }: ProbeResult) => responseTime ?? 0;

function firstToEnd(parts: readonly Part[]): ProbeResult {
  const results = parts.map(({ result }) => result);
  const endOf = ({ certificateExpiresAt }: ProbeResult) => certificateExpiresAt?.getTime() ?? Infinity;
  return results.reduce((first, each) => (endOf(each) < endOf(first) ? each : first));
}

/** `IPv6: connection refused by [::1]:443`; the same error of both once. */
function joinErrors(parts: readonly Part[]): ProbeError | null {
  const failed = parts.flatMap(({ label, result: { error } }) => (error === null ? [] : [{ label, error }]));
  const [first] = failed;
  if (first === undefined) return null;
  const join = (textOf: (error: ProbeError) => string) => {
    const texts = [...new Set(failed.map(({ error }) => textOf(error)))];
    const sentences = texts.map((text) => {
      const labels = failed.filter(({ error }) => textOf(error) === text).map(({ label }) => label);
      return `${labels.join(' and ')}: ${text}`;
    });
    return cleanMessage(sentences.join('; '));
  };
  const { code } = first.error;
  const message = join((error) => error.message);
  const hasDetail = failed.some(({ error }) => error.detail !== undefined);
  return hasDetail
    ? { code, message, detail: join((error) => error.detail ?? error.message) }
    : { code, message };
}

/** What the deciding check saw, with the addresses of both. */
function showBoth(show: () => Evidence, parts: readonly Part[]): () => Evidence {
  return () => {
    const addresses = parts.flatMap(({ result: { evidence, address } }) => {
      const seen = evidence?.().addresses ?? [];
      return seen.length === 0 && address ? [address] : seen;
    });
    return { ...show(), addresses: listAddresses([...new Set(addresses)]) };
  };
}
