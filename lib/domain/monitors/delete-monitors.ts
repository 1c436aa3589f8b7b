import { recordAudits } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { notify } from '@/lib/platform/db/notify';
import { notePagesChanged } from '@/lib/platform/page-front/note-pages-changed';
import { lockSelected } from './lock-selected';

/**
 * Deletes several monitors with their history for good, all or none, as `deleteMonitor` does one; unknown ids are passed
 * over. A fixed number of statements. Answers how many there were. Throws FORBIDDEN, and NOT_FOUND where
 * there was none.
 */
export async function deleteMonitors(ctx: OrganizationContext, ids: string[]): Promise<{ changed: number }> {
  requirePermission(ctx, 'monitor.delete');
  return ctx.db.$transaction(async (tx) => {
    const selected = await lockSelected(tx, ctx, ids);
    const found = selected.map(({ id }) => id);
    await notePagesChanged(tx, { monitorIds: found });
    await tx.monitor.deleteMany({ where: { id: { in: found } } });
    await recordAudits(
      tx,
      ctx,
      selected.map(({ id, name, url, type }) => ({
        action: 'monitor.delete' as const,
        subject: { id, label: name },
        before: { name, url, type },
      })),
    );
    await notify(tx, 'pharos_checks');
    return { changed: selected.length };
  });
}
