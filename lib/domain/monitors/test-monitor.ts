import { setTimeout as delay } from 'node:timers/promises';
import { readTarget } from '@/lib/checks/types';
import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/change-organization';
import { requireRegions } from '@/lib/plans/limits';
import { notify } from '@/lib/platform/db/listen';
import { isHostAllowed, isNameAllowed, type TargetPolicy } from '@/lib/platform/net/target-policy';
import type { MonitorConfig, ProbeTarget } from '@/lib/schemas/monitor/fields';
import { type DryRun, dryRunSchema } from '@/lib/schemas/monitor/result';

const ASK_MS = 100;
/** Added to the check's own timeout for the round trip to the worker. */
const MARGIN_MS = 5000;
const FORGOTTEN_MS = 300_000;

/**
 * Runs a single check with this configuration from its first region, by a worker there, and stores nothing. Throws FORBIDDEN,
 * BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED, and CONFLICT if no worker of the region responds or `signal` aborts.
 */
export async function testMonitor(
  ctx: OrganizationContext,
  input: MonitorConfig,
  signal?: AbortSignal,
): Promise<DryRun> {
  requirePermission(ctx, 'monitor.test');
  guardLiteralTarget(ctx.targetPolicy, input);
  const region = input.regions[0] ?? 'us-east';
  const target: ProbeTarget = input;
  const id = createId('dryRun');
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    requireRegions(await lockOrganization(tx, ctx.organizationId), [region]);
    await tx.dryRun.deleteMany({ where: { createdAt: { lt: new Date(now.getTime() - FORGOTTEN_MS) } } });
    const targetSealed = ctx.keyring.seal(JSON.stringify(target), id);
    await tx.dryRun.create({ data: { id, region, targetSealed, createdAt: now } });
    await notify(tx, 'pharos_dry_runs');
  });
  try {
    const result = await waitForResult(ctx, id, input.timeout * 1000 + MARGIN_MS, signal);
    const isSlow = result.outcome === 'ok' && (result.responseTime ?? 0) > input.degradedThreshold;
    return isSlow ? { ...result, outcome: 'slow' } : result;
  } finally {
    await ctx.db.dryRun.deleteMany({ where: { id } });
  }
}

async function waitForResult(
  { db }: OrganizationContext,
  id: string,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<DryRun> {
  const giveUpAt = performance.now() + patienceMs;
  while (performance.now() < giveUpAt && !signal?.aborted) {
    const row = await db.dryRun.findUnique({ where: { id }, select: { result: true } });
    if (row?.result != null) return dryRunSchema.parse(row.result);
    await delay(ASK_MS, undefined, { signal }).catch(() => {});
  }
  if (signal?.aborted) throw new DomainError('CONFLICT', 'The test was given up.');
  throw new DomainError(
    'CONFLICT',
    'No worker of this region answered. Look at /api/health, or test from another region.',
  );
}

/**
 * Throws BLOCKED_TARGET for a literal address or local name that the policy blocks, as early feedback; other names are checked
 * when connecting, by the address they resolve to.
 */
export function guardLiteralTarget(policy: TargetPolicy, target: Pick<MonitorConfig, 'type' | 'url'>): void {
  const { host = null, lookup } = readTarget(target) ?? {};
  const isAllowed =
    host === null ? lookup === undefined || isNameAllowed(lookup, policy) : isHostAllowed(host, policy);
  if (isAllowed) return;
  throw new DomainError('BLOCKED_TARGET', 'This address may not be probed from here.', [
    { path: 'url', code: 'blocked_target', message: 'is an address that may not be probed from here' },
  ]);
}
