import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** A worker that was not seen for so long does nothing, whoever wakes it. */
const FRESH_MS = 30_000;

/** Since when Inngest has woken no worker's checks or deliveries, so that workers wake themselves; null: all is well. */
export async function readInngestSilence(ctx: OrganizationContext): Promise<Date | null> {
  requirePermission(ctx, 'monitor.read');
  const seenAt = { gt: new Date(ctx.clock.now().getTime() - FRESH_MS) };
  const first = await ctx.db.worker.findFirst({
    where: { inngestSilentSince: { not: null }, seenAt },
    orderBy: { inngestSilentSince: 'asc' },
    select: { inngestSilentSince: true },
  });
  return first?.inngestSilentSince ?? null;
}
