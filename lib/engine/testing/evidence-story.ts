import { NO_EVIDENCE } from '@/lib/checks/evidence';
import { wantsEvidence } from '@/lib/checks/probe-result';
import type { ProbeResult } from '@/lib/checks/result';
import { sealEvidence } from '@/lib/domain/monitors/evidence/sealed-evidence';
import { wantedEvidence } from '@/lib/engine/checks/evidence/wanted-evidence';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import type { Database } from '@/lib/platform/db/client';
import { regionOf } from '@/lib/schemas/regions';
import { beginStory, recordAsOwner } from './story';

/** A story whose checks see a response: with evidence where the worker asks for it, as `runCheck` does. */
export async function beginEvidenceStory(db: Database) {
  const story = await beginStory(db);
  const { clock, services } = story;
  let sealed = 0;

  const finish = async (check: DueCheck, result: ProbeResult, text: string): Promise<FinishedCheck> => {
    const startedAt = clock.now();
    const evidenceOf = wantedEvidence(check.monitor, startedAt.getTime());
    if (!wantsEvidence(result, { evidenceOf })) return { check, startedAt, result };
    sealed += 1;
    const body = { text, size: text.length, truncated: false, type: 'text/plain', encoding: null };
    const show = () => ({ ...NO_EVIDENCE, body });
    return { check, startedAt, result, evidence: await sealEvidence(services.keyring, result, show) };
  };

  return {
    ...story,
    finish,
    /** How many checks were sealed so far. */
    sealed: () => sealed,
    /** Advances the clock past the next slot, then records a result that saw `text`. */
    see: async (
      result: ProbeResult,
      { region = 'us-east', afterMs = 90_000, text = 'seen', worker }: SeeOptions = {},
    ): Promise<number> => {
      clock.advance(afterMs);
      const taken = await story.take(region, worker);
      const finished = await Promise.all(taken.map((check) => finish(check, result, text)));
      return recordAsOwner(services, finished);
    },
    /** What was kept of a monitor, oldest first: `failure us-east`. */
    kept: async (monitorId: string): Promise<string[]> => {
      const rows = await db.checkEvidence.findMany({
        where: { monitorId },
        orderBy: [{ checkedAt: 'asc' }, { region: 'asc' }],
      });
      return rows.map(({ kind, region }) => `${kind} ${regionOf(region)}`);
    },
  };
}

type SeeOptions = { region?: string; afterMs?: number; text?: string; worker?: string };
