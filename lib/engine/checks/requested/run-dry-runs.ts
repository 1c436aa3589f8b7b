import { evaluateAssertions } from '@/lib/checks/assertions/evaluate';
import type { Observed } from '@/lib/checks/assertions/observed';
import { forMembers } from '@/lib/checks/for-members';
import { probe } from '@/lib/checks/probe';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { cutText } from '@/lib/core/storable-text';
import type { Clock } from '@/lib/core/time/clock';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { DryRun } from '@/lib/schemas/monitor/result';
import { isRegionId } from '@/lib/schemas/regions';

const MAX_BODY_CHARACTERS = 16 * 1024;

/** A check of an unsaved monitor in one region, for which somebody waits. */
export type RequestedDryRun = { id: string; region: string; target: ProbeTarget };

/** Where requested dry runs are. */
export type DryRunStore = {
  claim(regions: readonly string[]): Promise<RequestedDryRun[]>;
  store(run: Pick<RequestedDryRun, 'id' | 'region'>, result: DryRun): Promise<void>;
};

/** What runs now, by ID, so that it can be stopped. */
export type RunningDryRuns = Map<string, AbortController>;

type Runner = { requests: DryRunStore; clock: Clock; running: RunningDryRuns };

/** Runs pending dry runs in parallel, each on one worker only, and stores the results for the web process, unless they were stopped. */
export async function runDryRuns(
  { requests, clock, running }: Runner,
  regions: readonly string[],
  environment: ProbeEnvironment,
): Promise<void> {
  const claimed = await requests.claim(regions);
  await Promise.all(
    claimed.map(async (run) => {
      const stopping = new AbortController();
      running.set(run.id, stopping);
      try {
        const { signal: stop } = stopping;
        const signal = environment.signal ? AbortSignal.any([environment.signal, stop]) : stop;
        const result = await dryRun(run, clock.now().toISOString(), { ...environment, signal });
        if (!stop.aborted) await requests.store(run, result);
      } finally {
        running.delete(run.id);
      }
    }),
  );
}

async function dryRun(
  { target, region }: RequestedDryRun,
  checkedAt: string,
  environment: ProbeEnvironment,
): Promise<DryRun> {
  if (!isRegionId(region)) throw new Error(`a dry run was requested in an unknown region: ${region}`);
  const seen: Observed[] = [];
  const observing = { ...environment, observe: (observed: Observed) => void seen.push(observed) };
  const {
    error,
    certificateExpiresAt,
    networkFailure: _,
    evidence: __,
    address: ___,
    ...found
  } = await probe(target, observing);
  return {
    checkedAt,
    region,
    ...found,
    errorCode: error?.code ?? null,
    errorMessage: forMembers(error)?.message ?? null,
    certificateExpiresAt: certificateExpiresAt?.toISOString() ?? null,
    assertions: seen.flatMap((observed) => judge(target, observed)),
    observed: shorten(seen[0] ?? null),
  };
}

function judge({ assertions }: ProbeTarget, observed: Observed): DryRun['assertions'] {
  return evaluateAssertions(assertions, observed).map(({ holds, isUndecided = false, actual, detail }) => {
    return { passed: holds || isUndecided, actual, message: detail };
  });
}

/** The beginning of what was seen, storable. */
function shorten(observed: Observed | null): DryRun['observed'] {
  if (observed === null) return null;
  const { unread: _, ...shown } = observed;
  const { body, bodyEnd, headers, records } = shown;
  const isCut = body !== null && body.length > MAX_BODY_CHARACTERS;
  return {
    ...shown,
    headers: headers && { ...headers },
    records: records && [...records],
    body: body && cutText(body, MAX_BODY_CHARACTERS),
    bodyEnd: isCut ? '16 KiB' : bodyEnd,
  };
}
