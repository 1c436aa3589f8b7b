import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { isProbed } from '@/lib/checks/types';
import { invalidField, invalidState } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { Keyring } from '@/lib/core/keyring';
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
import { guardLiteralTarget } from './guard-target';

const POLL_MS = 100;
/** Added to the check's own timeout for the round trip to the worker. */
const MARGIN_MS = 5000;
const EXPIRY_MS = 300_000;

/**
 * Runs a single check with this configuration from its first region, by a worker there, and stores nothing. Throws FORBIDDEN,
 * BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED, UNKNOWN_REGION, and VALIDATION_ERROR for a type that is not probed, if no worker of the region responds or `signal` aborts.
 */
export async function testMonitor(
  ctx: OrganizationContext,
  input: MonitorConfig,
  signal?: AbortSignal,
): Promise<DryRun> {
  requirePermission(ctx, 'monitor.test');
  if (!isProbed(input)) throw invalidField('type', 'has no checks to test: its job calls the heartbeat URL');
  guardLiteralTarget(ctx.targetPolicy, input);
  const region = input.regions[0] ?? 'us-east';
  const target: ProbeTarget = pickFields(input, PROBED_FIELDS);
  const id = createId('dryRun');
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    requireUsable(await lockUsableRegions(tx, ctx.organizationId), [region]);
    await tx.dryRun.deleteMany({ where: { createdAt: { lt: new Date(now.getTime() - EXPIRY_MS) } } });
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
  { db, keyring }: OrganizationContext,
  id: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<DryRun> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && !signal?.aborted) {
    const row = await db.dryRun.findUnique({ where: { id }, select: { result: true } });
    if (row?.result != null) return readResult(keyring, id, row.result);
    await delay(POLL_MS, undefined, { signal }).catch(() => {});
  }
  if (signal?.aborted) throw invalidState('The test was canceled.');
  throw invalidState('No worker in this region responded. Check /api/health, or test from another region.');
}

/** A stored result. A worker of an earlier version does not return everything. */
function readResult(keyring: Keyring, id: string, stored: Prisma.JsonValue): DryRun {
  const { observedSealed, ...rest } = storedSchema.parse(stored);
  const opened =
    observedSealed === undefined ? 'null' : keyring.open(Buffer.from(observedSealed, 'base64'), id);
  return dryRunSchema.parse({ assertions: [], ...rest, observed: JSON.parse(opened) });
}

const storedSchema = z.looseObject({ observedSealed: z.string().optional() });
