import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import { type Columns, selectFields } from '@/lib/domain/monitors/stored-fields';
import { decryptTarget } from '@/lib/engine/checks/shards/load-monitors';
import { type ClaimedWork, claimWork } from '@/lib/platform/db/claims';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import { noteLive } from '@/lib/platform/live/note-live';
import { PROBED_FIELDS, type ProbedField } from '@/lib/schemas/monitor/fields';
import { OUTCOMES } from '@/lib/schemas/monitor/result';
import type { ManualCheckStore } from './run-manual-checks';

type Row = Columns<ProbedField> & { checkId: string; region: string; id: string };

/** A runner of an own region gets only monitors of its organization, whatever a row names: see `loadQuery`. */
const IS_CHECKED_BY_ITS_OWN = Prisma.sql`(own.region NOT LIKE 'loc%' OR EXISTS (
  SELECT FROM monitor JOIN region USING (organization_id)
   WHERE monitor.id = own.monitor_id AND region.id = own.region))`;

const MANUAL_CHECKS: ClaimedWork<Row, readonly string[]> = {
  table: 'manual_check',
  key: 'id, region',
  where: (now, regions) => Prisma.sql`
    finished_at IS NULL AND expires_at > ${now} AND region = ANY(${[...regions]}) AND ${IS_CHECKED_BY_ITS_OWN}`,
  order: 'requested_at',
  hold: { by: 'mark' },
  columns: Prisma.sql`own.id AS "checkId", own.region AS "region", monitor.id AS id, ${selectFields(PROBED_FIELDS)}`,
  joins: Prisma.sql`JOIN monitor ON monitor.id = own.monitor_id`,
};

/** The requested checks in the database. */
export function createManualCheckStore({ db, clock, keyring }: Services): ManualCheckStore {
  return {
    claim: async (regions, limit) => {
      const rows = await claimWork(db, MANUAL_CHECKS, { limit, now: clock.now(), scope: regions });
      return rows.map(({ checkId, region, ...monitor }) => ({
        checkId,
        region,
        id: monitor.id,
        ...decryptTarget(keyring, monitor),
      }));
    },
    store: async ({ checkId, region }, { checkedAt, outcome, findings }) => {
      await db.$transaction(async (tx) => {
        const stored = await tx.$queryRaw<{ organizationId: string }[]>`
          UPDATE manual_check AS own
             SET finished_at = ${clock.now()}, checked_at = ${checkedAt}, outcome = ${OUTCOMES.indexOf(outcome)},
                 findings = ${storableJson(findings)}::jsonb
            FROM monitor
           WHERE own.id = ${checkId} AND own.region = ${region} AND claimed_at IS NOT NULL AND finished_at IS NULL
             AND monitor.id = own.monitor_id
          RETURNING organization_id AS "organizationId"`;
        const organizationIds = stored.map(({ organizationId }) => organizationId);
        await notify(tx, 'pharos_results');
        await noteLive(tx, [{ kind: 'results', organizationIds }]);
      });
    },
  };
}
