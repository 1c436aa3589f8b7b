import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { CheckEvidence, EvidenceKind } from '@/lib/schemas/monitor/evidence';
import { listEvidence, readCompared } from './read-evidence';

/** What a job wrote: at the chosen call, when it last failed, and when it last succeeded; null where nothing is kept. */
export type LastOutputs = {
  chosen: CheckEvidence | null;
  failed: CheckEvidence | null;
  good: CheckEvidence | null;
};

/** The last outputs of a job that are kept, and that with the ID `chosen`. Throws NOT_FOUND. */
export async function readOutputs(
  ctx: OrganizationContext,
  id: string,
  chosen?: string,
): Promise<LastOutputs> {
  const readLast = async (kind: EvidenceKind) => (await listEvidence(ctx, id, { kind, limit: 1 })).items[0];
  const [failed, recovery, good, compared] = await Promise.all([
    readLast('failure'),
    readLast('recovery'),
    readLast('good'),
    chosen === undefined ? null : readCompared(ctx, id, chosen),
  ]);
  const goods = [recovery, good].filter((each) => each !== undefined);
  return {
    chosen: compared && compared.seen.id === chosen ? compared.seen : null,
    failed: failed ?? null,
    good: goods.toSorted((a, b) => b.checkedAt.localeCompare(a.checkedAt))[0] ?? null,
  };
}
