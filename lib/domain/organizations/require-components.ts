import { invalidState } from '@/lib/core/errors';
import type { Transaction } from '@/lib/platform/db/client';

type Reader = Pick<Transaction, '$queryRaw'>;

/**
 * Requires that status pages of the organization have these components, and returns the IDs of those pages. Throws VALIDATION_ERROR, with
 * a detail for each component that no page has. Those in `known` are not looked up: an incident keeps the IDs of components that were
 * removed.
 */
export async function requireComponents(
  tx: Reader,
  organizationId: string,
  ids: readonly string[],
  known: readonly string[] = [],
): Promise<string[]> {
  const rows = await findComponents(
    tx,
    organizationId,
    ids.filter((id) => !known.includes(id)),
  );
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
  return pagesOf(rows);
}

/** The IDs of the status pages that have some of these components. */
export async function findComponentPages(
  tx: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  return pagesOf(await findComponents(tx, organizationId, ids));
}

type Found = { id: string; pageId: string };

async function findComponents(tx: Reader, organizationId: string, ids: readonly string[]): Promise<Found[]> {
  if (ids.length === 0) return [];
  return tx.$queryRaw<Found[]>`
    SELECT item ->> 'componentId' AS id, page.id AS "pageId"
      FROM status_page AS page CROSS JOIN jsonb_path_query(sections, '$[*].items[*]') AS item
     WHERE organization_id = ${organizationId} AND item ->> 'componentId' = ANY(${[...new Set(ids)]})`;
}

function pagesOf(found: readonly Found[]): string[] {
  return [...new Set(found.map(({ pageId }) => pageId))];
}
