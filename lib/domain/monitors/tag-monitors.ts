import { DomainError } from '@/lib/core/errors';
import { storableJson } from '@/lib/core/storable-text';
import { recordAudits } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { MAX_TAGS } from '@/lib/schemas/monitor/fields';
import type { TagChange } from '@/lib/schemas/monitor-selection';
import { lockSelected } from './lock-selected';

/**
 * Puts tags on several monitors and takes tags off, all or none; unknown ids are passed over. A fixed number of
 * statements. Answers how many changed. Throws FORBIDDEN, NOT_FOUND where the organization has none of them, and
 * VALIDATION_ERROR where a monitor would have too many tags.
 */
export async function tagMonitors(
  ctx: OrganizationContext,
  ids: string[],
  change: TagChange,
): Promise<{ changed: number }> {
  requirePermission(ctx, 'monitor.update');
  return ctx.db.$transaction(async (tx) => {
    const selected = await lockSelected(tx, ctx, ids);
    const changing = selected
      .map(({ id, name, tags }) => ({ id, name, before: tags, tags: changeTags(tags, change) }))
      .filter(({ before, tags }) => before.join('\0') !== tags.join('\0'));
    requireFewTags(changing);
    if (changing.length === 0) return { changed: 0 };
    await tx.$executeRaw`
      UPDATE monitor SET tags = next.tags, updated_at = ${ctx.clock.now()}
        FROM jsonb_to_recordset(${storableJson(changing)}::jsonb) AS next (id text, tags text[])
       WHERE monitor.id = next.id`;
    await recordAudits(
      tx,
      ctx,
      changing.map(({ id, name, before, tags }) => ({
        action: 'monitor.update' as const,
        subject: { id, label: name },
        before: { tags: before },
        after: { tags },
      })),
    );
    return { changed: changing.length };
  });
}

/** New tags come last, in the order given; one that is put on and taken off is on. */
function changeTags(tags: string[], { add, remove }: TagChange): string[] {
  const kept = tags.filter((tag) => !remove.includes(tag) || add.includes(tag));
  return [...kept, ...add.filter((tag) => !tags.includes(tag))];
}

function requireFewTags(monitors: { name: string; tags: string[] }[]): void {
  const [first, ...others] = monitors.filter(({ tags }) => tags.length > MAX_TAGS);
  if (!first) return;
  const also = others.length > 0 ? ` and ${others.length} more` : '';
  throw new DomainError(
    'VALIDATION_ERROR',
    `A monitor can have ${MAX_TAGS} tags; “${first.name}”${also} would have more.`,
  );
}
