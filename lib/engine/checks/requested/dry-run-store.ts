import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import { monitorDefaults } from '@/lib/schemas/monitor/fields';
import type { DryRunStore } from './run-dry-runs';

/** Older dry runs are ignored: their requesters have stopped waiting. */
const MAX_DRY_RUN_AGE_MS = 70_000;
const MAX_DRY_RUNS = 20;

/** The requested dry runs in the database. Targets, and what they sent, are encrypted there. */
export function createDryRunStore({ db, clock, keyring }: Services): DryRunStore {
  return {
    claim: async (regions) => {
      const now = clock.now();
      const since = new Date(now.getTime() - MAX_DRY_RUN_AGE_MS);
      const claimed = await db.$queryRaw<{ id: string; region: string; targetSealed: Uint8Array }[]>`
        UPDATE dry_run SET claimed_at = ${now}
         WHERE id IN (SELECT id FROM dry_run
                       WHERE claimed_at IS NULL AND region = ANY(${[...regions]}) AND created_at > ${since}
                       ORDER BY created_at LIMIT ${MAX_DRY_RUNS} FOR UPDATE SKIP LOCKED)
        RETURNING id, region, target_sealed AS "targetSealed"`;
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
