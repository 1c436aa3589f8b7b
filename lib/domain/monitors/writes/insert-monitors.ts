import { isCalled } from '@/lib/checks/types';
import { createId } from '@/lib/core/ids';
import { storableJson } from '@/lib/core/storable-text';
import { type AuditDraft, draftAudit, writeAudits } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { refTaken } from '@/lib/domain/organizations/ref-taken';
import { lockUsableRegions, requireUsable, type UsableRegions } from '@/lib/domain/regions/usable-regions';
import { requireQuota } from '@/lib/plans/require-quota';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { Monitor } from '@/lib/schemas/monitor';
import { FIELD_NAMES, type MonitorConfig, sqlColumnOf } from '@/lib/schemas/monitor/fields';
import { initialState } from '@/lib/state/initial-state';
import { type Dependencies, openDependencies } from '../dependencies/admit-dependencies';
import { guardLiteralTarget, requireUsableCertificate } from '../guard-target';
import { awaitFirstCalls } from '../heartbeats/follow-plans';
import { createToken } from '../heartbeats/heartbeat-token';
import { switchPeriods } from '../history/ledger';
import { restartSchedules } from '../probe-schedules';
import { TOKEN_COLUMNS, toColumns, tokenColumns } from './update-monitors';

/** Decides which monitors an organization can have, one after the other. */
export type Admission = {
  usable: UsableRegions;
  dependencies: Dependencies;
  /** The monitors that have one of the refs in question, by ref. */
  idsByRef: Map<string, string>;
  /**
   * Counts a monitor to be created. Throws BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED, UNKNOWN_REGION, UNKNOWN_MONITOR, and REF_TAKEN if another monitor
   * has the same `ref`, or was admitted with it; then the monitor does not count.
   */
  admit(config: MonitorConfig): void;
};

/**
 * Locks the organization until the transaction ends, so that what is admitted to it stays possible. Takes the refs of all
 * monitors in question, and the IDs that they name.
 */
export async function openAdmission(
  tx: Transaction,
  { organizationId, targetPolicy }: OrganizationContext,
  { refs, named }: { refs: readonly (string | null)[]; named: readonly string[] },
): Promise<Admission> {
  const usable = await lockUsableRegions(tx, organizationId);
  const dependencies = await openDependencies(tx, organizationId, named);
  const given = refs.filter((ref) => ref !== null);
  const where = { organizationId, ref: { in: given } };
  const rows =
    given.length === 0 ? [] : await tx.monitor.findMany({ where, select: { id: true, ref: true } });
  const idsByRef = new Map(rows.flatMap(({ id, ref }) => (ref === null ? [] : [[ref, id]])));
  const admitted = new Set<string>();
  let monitors = await tx.monitor.count({ where: { organizationId } });
  const admit = (config: MonitorConfig) => {
    guardLiteralTarget(targetPolicy, config);
    requireUsableCertificate(config);
    requireQuota(usable.plan, 'monitors', monitors);
    requireUsable(usable, config.regions);
    dependencies.admit(null, config);
    const { ref } = config;
    if (ref !== null && (idsByRef.has(ref) || admitted.has(ref))) throw refTaken('monitor');
    if (ref !== null) admitted.add(ref);
    monitors += 1;
  };
  return { usable, dependencies, idsByRef, admit };
}

/** A monitor to be created, complete but for what the transaction adds: prepared before it, because hundreds take a while. */
export type MonitorDraft = { id: string; config: MonitorConfig; row: string; audit: AuditDraft };

const COLUMNS = ['id', ...FIELD_NAMES.map(sqlColumnOf), ...TOKEN_COLUMNS];
const COLUMN_LIST = Prisma.raw(COLUMNS.join(', '));

/** Gives a monitor its ID, seals its secrets, and writes its rows as JSON. */
export function draftMonitor(
  { keyring }: Pick<OrganizationContext, 'keyring'>,
  config: MonitorConfig,
): MonitorDraft {
  const id = createId('monitor');
  const token = isCalled(config) ? createToken(keyring, id) : null;
  const row = storableJson({ id, ...toColumns(keyring, id, config, FIELD_NAMES), ...tokenColumns(token) });
  const subject = { id, label: config.name };
  return { id, config, row, audit: draftAudit({ action: 'monitor.create', subject, after: config }) };
}

/**
 * Creates admitted monitors in a fixed number of statements, pending with their first checks due immediately or awaiting a call, or paused.
 */
export async function insertMonitors(
  tx: Transaction,
  ctx: OrganizationContext,
  drafts: readonly MonitorDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  const now = ctx.clock.now();
  await tx.$executeRaw`
    INSERT INTO monitor (organization_id, created_at, updated_at, ${COLUMN_LIST})
    SELECT ${ctx.organizationId}, ${now}, ${now}, ${COLUMN_LIST}
      FROM jsonb_populate_recordset(NULL::monitor, ${`[${drafts.map(({ row }) => row).join()}]`}::jsonb)`;
  const ids = drafts.map(({ id }) => id);
  await tx.$executeRaw`
    INSERT INTO monitor_state (monitor_id, config_version, machine, status, consecutive_failures)
    SELECT id, 1, ${storableJson(initialState(now.getTime()))}::jsonb, 'pending', 0 FROM unnest(${ids}::text[]) AS id`;
  const first = { from: now, decidedAt: now, why: null };
  await switchPeriods(
    tx,
    drafts.map(({ id, config }) => {
      return { monitorId: id, ...first, state: config.enabled ? ('pending' as const) : ('paused' as const) };
    }),
  );
  const enabled = drafts.filter(({ config }) => config.enabled);
  if (enabled.length > 0) {
    const scheduled = enabled.map(({ id, config: { type, regions } }) => ({ id, type, regions }));
    await restartSchedules(tx, scheduled, now);
  }
  await awaitFirstCalls(
    tx,
    drafts.map(({ id, config: { type } }) => ({ id, type })),
  );
  await writeAudits(
    tx,
    ctx,
    drafts.map(({ audit }) => audit),
  );
}

/** A monitor as it was created: a worker may have checked it since, and the response promises `pending`. */
export function asCreated(monitor: Monitor): Monitor {
  return {
    ...monitor,
    status: 'pending',
    consecutiveFailures: 0,
    lastCheckedAt: null,
    lastResponseTime: null,
  };
}
