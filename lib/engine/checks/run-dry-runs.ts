import { evaluateAssertions } from '@/lib/checks/assertions/evaluate';
import type { Observed } from '@/lib/checks/assertions/observed';
import { forMembers } from '@/lib/checks/for-members';
import { probe } from '@/lib/checks/probe';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { cutText } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import { monitorDefaults, type ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { DryRun } from '@/lib/schemas/monitor/result';
import { isRegionId } from '@/lib/schemas/regions';

/** Older dry runs are ignored: their requesters have stopped waiting. */
const MAX_DRY_RUN_AGE_MS = 70_000;
const MAX_DRY_RUNS = 20;
const MAX_BODY_CHARACTERS = 16 * 1024;

/** Runs pending dry runs in parallel, each on one worker only, and stores the results for the web process. */
export async function runDryRuns(
  services: Services,
  regions: readonly string[],
  environment: ProbeEnvironment,
): Promise<void> {
  const now = services.clock.now();
  const since = new Date(now.getTime() - MAX_DRY_RUN_AGE_MS);
  const claimed = await services.db.$queryRaw<{ id: string; region: string; targetSealed: Uint8Array }[]>`
    UPDATE dry_run SET claimed_at = ${now}
     WHERE id IN (SELECT id FROM dry_run
                   WHERE claimed_at IS NULL AND region = ANY(${[...regions]}) AND created_at > ${since}
                   ORDER BY created_at LIMIT ${MAX_DRY_RUNS} FOR UPDATE SKIP LOCKED)
    RETURNING id, region, target_sealed AS "targetSealed"`;
  await Promise.all(
    claimed.map(async ({ id, region, targetSealed }) => {
      // The requester may run a version that does not know every field.
      const target = { ...monitorDefaults, ...JSON.parse(services.keyring.open(targetSealed, id)) };
      const { observed, ...rest } = await dryRun(services, target, region, environment);
      // What the target sent is stored like the target: encrypted.
      const sealed = services.keyring.seal(JSON.stringify(observed), id);
      const result = { ...rest, observedSealed: Buffer.from(sealed).toString('base64') };
      await services.db.dryRun.updateMany({ where: { id }, data: { result } });
    }),
  );
}

async function dryRun(
  { clock }: Services,
  target: ProbeTarget,
  region: string,
  environment: ProbeEnvironment,
): Promise<DryRun> {
  if (!isRegionId(region)) throw new Error(`a dry run was requested in an unknown region: ${region}`);
  const checkedAt = clock.now().toISOString();
  const seen: Observed[] = [];
  const observing = { ...environment, observe: (observed: Observed) => void seen.push(observed) };
  const {
    error,
    certificateExpiresAt,
    networkFailure: _,
    evidence: __,
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
  return evaluateAssertions(assertions, observed).map(({ holds, actual, detail }) => {
    return { passed: holds, actual, message: detail };
  });
}

/** The beginning of what was seen, storable. */
function shorten(observed: Observed | null): DryRun['observed'] {
  if (observed === null) return null;
  const { body, bodyEnd, headers, records } = observed;
  const isCut = body !== null && body.length > MAX_BODY_CHARACTERS;
  return {
    ...observed,
    headers: headers && { ...headers },
    records: records && [...records],
    body: body && cutText(body, MAX_BODY_CHARACTERS),
    bodyEnd: isCut ? '16 KiB' : bodyEnd,
  };
}
