import { invalidState } from '@/lib/core/errors';
import type { Transaction } from '@/lib/platform/db/client';

/**
 * The IDs of the status pages that have these components. Throws VALIDATION_ERROR, with a detail for each, for components that no page
 * of the organization has. Those in `known` are not checked: an incident keeps the IDs of components that were removed.
 */
export async function requireComponents(
  tx: Pick<Transaction, '$queryRaw'>,
  organizationId: string,
  ids: readonly string[],
  known: readonly string[] = [],
): Promise<string[]> {
  const wanted = [...new Set([...ids, ...known])];
  if (wanted.length === 0) return [];
  const rows = await tx.$queryRaw<{ id: string; pageId: string }[]>`
    SELECT item ->> 'componentId' AS id, page.id AS "pageId"
      FROM status_page AS page CROSS JOIN jsonb_path_query(sections, '$[*].items[*]') AS item
     WHERE organization_id = ${organizationId} AND item ->> 'componentId' = ANY(${wanted})`;
  const found = new Set([...known, ...rows.map(({ id }) => id)]);
  const details = ids.flatMap((id, index) =>
    found.has(id)
      ? []
      : [
          {
            path: `affectedComponents.${index}`,
            code: 'unknown_component',
            message: 'is not a component of a status page of this organization',
          },
        ],
  );
  if (details.length > 0) {
    const places = details.map(({ path }) => path).join(', ');
    throw invalidState(`Components not found: ${places}.`, details);
  }
  return [...new Set(rows.map(({ pageId }) => pageId))];
}
