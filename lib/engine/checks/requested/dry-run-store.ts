import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import { type ClaimedWork, claimWork } from '@/lib/platform/db/claims';
import { Prisma } from '@/lib/platform/db/generated/client';
import { monitorDefaults } from '@/lib/schemas/monitor/fields';
import type { DryRunStore } from './run-dry-runs';

/** Older dry runs are ignored: their requesters have stopped waiting. */
const MAX_DRY_RUN_AGE_MS = 70_000;
const MAX_DRY_RUNS = 20;

type Requested = { id: string; region: string; targetSealed: Uint8Array };

const DRY_RUNS: ClaimedWork<Requested, readonly string[]> = {
  table: 'dry_run',
  where: (now, regions) =>
    Prisma.sql`region = ANY(${[...regions]}) AND created_at > ${new Date(now.getTime() - MAX_DRY_RUN_AGE_MS)}`,
  order: 'created_at',
  hold: { by: 'mark' },
  columns: { id: 'id', region: 'region', targetSealed: 'target_sealed' },
};

/** The requested dry runs in the database. Targets, and what they sent, are encrypted there. */
export function createDryRunStore({ db, clock, keyring }: Services): DryRunStore {
  return {
    claim: async (regions) => {
      const claimed = await claimWork(db, DRY_RUNS, {
        limit: MAX_DRY_RUNS,
        now: clock.now(),
        scope: regions,
      });
      return claimed.map(({ id, region, targetSealed }) => ({
        id,
        region,
        // The requester may run a version that does not know every field.
        target: { ...monitorDefaults, ...JSON.parse(keyring.open(targetSealed, id)) },
      }));
    },
    store: async ({ id, region }, { observed, ...rest }) => {
      const sealed = keyring.seal(JSON.stringify(observed), id);
      const result = { ...rest, observedSealed: Buffer.from(sealed).toString('base64') };
      await db.$executeRaw`
        WITH stored AS (
          UPDATE dry_run SET result = ${storableJson(result)}::jsonb
           WHERE id = ${id} AND region = ${region} AND claimed_at IS NOT NULL RETURNING id
        )
        SELECT pg_notify('pharos_results', '') FROM stored`;
    },
  };
}
