import { z } from 'zod';
import { isCalled, isProbed } from '@/lib/checks/types';
import { type DomainError, invalidField, invalidState, TooSoonError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { Keyring } from '@/lib/core/keyring';
import { formatDuration } from '@/lib/core/time/duration';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockUsableRegions, requireUsable } from '@/lib/domain/regions/usable-regions';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import {
  type MonitorConfig,
  PROBED_FIELDS,
  type ProbeTarget,
  pickFields,
} from '@/lib/schemas/monitor/fields';
import { type DryRun, dryRunSchema } from '@/lib/schemas/monitor/result';
import { isCertificateExpiring } from '@/lib/state/region';
import { guardLiteralTarget, requireUsableCertificate } from './guard-target';
import { awaitResult } from './requested-results';

/** Added to the check's own timeout for the round trip to the worker. */
const MARGIN_MS = 5000;
const EXPIRY_MS = 300_000;
/** Of one organization at a time, over all web processes. */
const MAX_PENDING = 10;
/** Longer than any requester waits: older rows are left by processes that crashed. */
const MAX_PENDING_MS = 70_000;
const RETRY_SECONDS = 5;

/** How many requests of this process are under way, by organization. */
const underWay = new Map<string, number>();

/**
 * Runs a single check with this configuration from its first region, by a worker there, and stores nothing. Once `signal` aborts, nobody waits for
 * it and the worker stops. Throws FORBIDDEN, BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED, UNKNOWN_REGION, RATE_LIMITED while ten of the organization are
 * pending, and VALIDATION_ERROR for a type that is not probed, if no worker of the region responds or `signal` aborts.
 */
export async function testMonitor(
  ctx: OrganizationContext,
  input: MonitorConfig,
  signal?: AbortSignal,
): Promise<DryRun> {
  requirePermission(ctx, 'monitor.test');
  if (!isProbed(input)) {
    const instead = isCalled(input) ? 'its job calls the heartbeat URL' : 'it follows its members';
    throw invalidField('type', `has no checks to test: ${instead}`);
  }
  guardLiteralTarget(ctx.targetPolicy, input);
  requireUsableCertificate(input);
  const { organizationId } = ctx;
  const count = underWay.get(organizationId) ?? 0;
  // Those beyond the limit need neither a lock nor a connection.
  if (count >= MAX_PENDING) throw tooMany();
  underWay.set(organizationId, count + 1);
  try {
    return await runDryRun(ctx, input, signal);
  } finally {
    const others = (underWay.get(organizationId) ?? 1) - 1;
    if (others > 0) underWay.set(organizationId, others);
    else underWay.delete(organizationId);
  }
}

async function runDryRun(
  ctx: OrganizationContext,
  input: MonitorConfig,
  signal?: AbortSignal,
): Promise<DryRun> {
  if (signal?.aborted) throw canceled();
  // Begins with the organization, by which those that are pending are counted.
  const id = `${ctx.organizationId}/${createId('dryRun')}`;
  await request(ctx, id, input);
  try {
    await awaitResult(ctx, { id, count: 0 }, { ms: input.timeout * 1000 + MARGIN_MS, signal });
    if (signal?.aborted) throw canceled();
    const result = await readResult(ctx, id);
    return isSlow(input, result) ? { ...result, outcome: 'slow' } : result;
  } finally {
    await remove(ctx, id);
  }
}

/** Whether the saved monitor would count the check as slow. */
function isSlow(
  config: Pick<MonitorConfig, 'degradedThreshold' | 'tlsExpiryDays'>,
  { outcome, responseTime, errorCode, certificateExpiresAt, checkedAt }: DryRun,
): boolean {
  if (outcome !== 'ok') return false;
  const expiresAt = certificateExpiresAt === null ? null : Date.parse(certificateExpiresAt);
  const isExpiring = isCertificateExpiring(config, expiresAt, Date.parse(checkedAt));
  return isExpiring || errorCode !== null || (responseTime ?? 0) > config.degradedThreshold;
}

async function request(ctx: OrganizationContext, id: string, input: MonitorConfig): Promise<void> {
  const region = input.regions[0] ?? 'us-east';
  const target: ProbeTarget = pickFields(input, PROBED_FIELDS);
  const targetSealed = ctx.keyring.seal(JSON.stringify(target), id);
  const now = ctx.clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  await ctx.db.$transaction(async (tx) => {
    requireUsable(await lockUsableRegions(tx, ctx.organizationId), [region]);
    const [{ pending }] = await tx.$queryRaw<[{ pending: number }]>`
      SELECT count(*)::int AS pending FROM dry_run
       WHERE starts_with(id, ${`${ctx.organizationId}/`}) AND created_at > ${before(MAX_PENDING_MS)}`;
    if (pending >= MAX_PENDING) throw tooMany();
    await tx.dryRun.deleteMany({ where: { createdAt: { lt: before(EXPIRY_MS) } } });
    await tx.dryRun.create({ data: { id, region, targetSealed, createdAt: now } });
    await notify(tx, 'pharos_dry_runs');
  });
}

/** Removes a dry run. A worker that still runs it stops. */
async function remove({ db }: OrganizationContext, id: string): Promise<void> {
  await db.$executeRaw`
    WITH gone AS (DELETE FROM dry_run WHERE id = ${id} RETURNING claimed_at, result)
    SELECT pg_notify('pharos_dry_runs', ${id}) FROM gone WHERE claimed_at IS NOT NULL AND result IS NULL`;
}

async function readResult({ db, keyring }: OrganizationContext, id: string): Promise<DryRun> {
  const row = await db.dryRun.findUnique({ where: { id }, select: { result: true } });
  if (row?.result != null) return parseResult(keyring, id, row.result);
  throw invalidState('No worker in this region responded. Check /api/health, or test from another region.');
}

function tooMany(): TooSoonError {
  const message = `At most ${MAX_PENDING} tests of an organization can run at the same time. Retry in ${formatDuration(RETRY_SECONDS * 1000)}.`;
  return new TooSoonError(message, RETRY_SECONDS);
}

function canceled(): DomainError {
  return invalidState('The test was canceled.');
}

/** A stored result. A worker of an earlier version does not return everything. */
function parseResult(keyring: Keyring, id: string, stored: Prisma.JsonValue): DryRun {
  const { observedSealed, ...rest } = storedSchema.parse(stored);
  const opened =
    observedSealed === undefined ? 'null' : keyring.open(Buffer.from(observedSealed, 'base64'), id);
  return dryRunSchema.parse({ assertions: [], ...rest, observed: JSON.parse(opened) });
}

const storedSchema = z.looseObject({ observedSealed: z.string().optional() });
