import type { SealedEvidence } from '@/lib/domain/monitors/evidence/sealed-evidence';
import { type FinishedCheck, regionOfCheck } from '@/lib/engine/checks/recording/store-results';
import type { Database, Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { EvidenceKind } from '@/lib/schemas/monitor/evidence';
import { DAY_MS } from './wanted-evidence';

const HOUR_MS = 3_600_000;
/** Of one monitor, in all regions, each with the success after it: a flapping monitor must not fill the database. */
export const MAX_FAILURES_PER_HOUR = 10;
/** The regions of a monitor notice at slightly different times that a day has passed. */
const GOOD_EVERY_MS = DAY_MS - HOUR_MS;

/** What is stored of a monitor and a region. */
type Known = {
  id: string;
  region: number;
  /** Failures of the last hour, from any region. */
  failures: number;
  /** Whether a success of the last day was kept, from any region. */
  hasGood: boolean;
  /** Whether the last failure that was kept from this region is without the success after it. */
  isFailing: boolean;
};

/** A result that may have left evidence: of a check, or of a call. */
export type Seen = {
  check: { monitor: Pick<FinishedCheck['check']['monitor'], 'id' | 'region'> };
  startedAt: Date;
  result: Pick<FinishedCheck['result'], 'outcome'>;
};
type Candidate = Seen & { evidence: SealedEvidence };
type Kept<One> = One & { kind: EvidenceKind };
/** `firstFailures` are the failures that may be kept. */
type Choice = { firstFailures: ReadonlySet<Seen>; now: Date };

/**
 * Keeps what recorded checks saw: the first failure of each run in a region, the first success after it, and a good response a day of
 * each monitor. Most checks carry no evidence, and cost nothing here. Monitors that were deleted meanwhile are left out.
 */
export async function keepEvidence(
  tx: Transaction,
  recorded: readonly (Seen & { evidence?: SealedEvidence | undefined })[],
  { firstFailures, now }: Choice,
): Promise<void> {
  const candidates = recorded.filter(hasEvidence);
  if (candidates.length === 0) return;
  const known = await tx.$queryRaw<Known[]>(lockedQuery(candidates, now));
  const kept = chooseKept(candidates, known, firstFailures);
  if (kept.length === 0) return;
  await insertEvidence(tx, kept);
}

async function insertEvidence(tx: Transaction, kept: readonly Kept<Candidate>[]): Promise<void> {
  const ids = kept.map(({ evidence }) => evidence.id);
  const monitorIds = kept.map(({ check }) => check.monitor.id);
  const regions = kept.map(({ check }) => regionOfCheck(check));
  const moments = kept.map(({ startedAt }) => startedAt);
  const kinds = kept.map(({ kind }) => kind);
  const contents = kept.map(({ evidence }) => Buffer.from(evidence.content).toString('base64'));
  await tx.$executeRaw`
    INSERT INTO check_evidence (id, monitor_id, region, checked_at, kind, content_sealed)
    SELECT id, monitor_id, region, checked_at, kind, decode(content, 'base64')
      FROM unnest(${ids}::text[], ${monitorIds}::text[], ${regions}::smallint[], ${moments}::timestamptz[],
                  ${kinds}::evidence_kind[], ${contents}::text[])
           AS kept (id, monitor_id, region, checked_at, kind, content)`;
}

/** Those results whose evidence would be kept now; `keepEvidence` decides. Locks and writes nothing. */
export async function wouldKeep<One extends Seen>(
  db: Pick<Database, '$queryRaw'>,
  seen: readonly One[],
  { firstFailures, now }: Choice,
): Promise<One[]> {
  return chooseKept(seen, await db.$queryRaw<Known[]>(knownQuery(seen, now)), firstFailures);
}

/** What the owner of a monitor guessed is decided here: another worker may have kept something since. */
function chooseKept<One extends Seen>(
  candidates: readonly One[],
  known: readonly Known[],
  firstFailures: ReadonlySet<Seen>,
): Kept<One>[] {
  const monitors = new Map(known.map(({ id, failures, hasGood }) => [id, { failures, hasGood }]));
  const failing = new Set(known.filter(({ isFailing }) => isFailing).map(placeOf));
  return candidates
    .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
    .flatMap((each): Kept<One>[] => {
      const { id } = each.check.monitor;
      const monitor = monitors.get(id);
      const place = placeOf({ id, region: regionOfCheck(each.check) });
      if (!monitor) return [];
      if (each.result.outcome === 'failed') {
        if (!firstFailures.has(each) || monitor.failures >= MAX_FAILURES_PER_HOUR) return [];
        monitor.failures += 1;
        failing.add(place);
        return [{ ...each, kind: 'failure' }];
      }
      const isRecovery = failing.delete(place);
      if (monitor.hasGood && !isRecovery) return [];
      monitor.hasGood = true;
      return [{ ...each, kind: isRecovery ? 'recovery' : 'good' }];
    });
}

function hasEvidence(seen: Seen & { evidence?: SealedEvidence | undefined }): seen is Candidate {
  return seen.evidence !== undefined;
}

function placeOf({ id, region }: Pick<Known, 'id' | 'region'>): string {
  return `${id} ${region}`;
}

/** Locks the monitors against deletion. */
function lockedQuery(candidates: readonly Seen[], now: Date): Prisma.Sql {
  return Prisma.sql`${knownQuery(candidates, now)} FOR KEY SHARE OF monitor`;
}

function knownQuery(candidates: readonly Seen[], now: Date): Prisma.Sql {
  const ids = candidates.map(({ check }) => check.monitor.id);
  const regions = candidates.map(({ check }) => regionOfCheck(check));
  const before = (ms: number) => new Date(now.getTime() - ms);
  return Prisma.sql`
    SELECT given.id, given.region,
           (SELECT count(*)::int
              FROM check_evidence
             WHERE monitor_id = given.id AND kind = 'failure' AND checked_at > ${before(HOUR_MS)}) AS failures,
           EXISTS (
             SELECT
               FROM check_evidence
              WHERE monitor_id = given.id AND kind <> 'failure' AND checked_at > ${before(GOOD_EVERY_MS)}) AS "hasGood",
           coalesce((SELECT kind = 'failure'
                       FROM check_evidence
                      WHERE monitor_id = given.id AND check_evidence.region = given.region AND kind <> 'good'
                      ORDER BY checked_at DESC
                      LIMIT 1), false) AS "isFailing"
      FROM unnest(${ids}::text[], ${regions}::smallint[]) AS given (id, region)
      JOIN monitor ON monitor.id = given.id`;
}
