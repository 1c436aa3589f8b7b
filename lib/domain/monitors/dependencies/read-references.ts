import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Monitor } from '@/lib/schemas/monitor';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';

/** What refers to a monitor, and what it refers to. */
export type References = {
  /** The status pages that show it, by name. */
  pages: PageName[];
  /** The monitors that it depends on, by name. */
  dependsOn: MonitorName[];
  /** Some of the groups that it is a member of, by name. */
  groups: MonitorName[];
  /** Some of the monitors that depend on it, by name, and how many do. */
  dependents: { first: MonitorName[]; count: number };
};

/** A monitor in a list of references. */
export type MonitorName = Pick<Monitor, 'id' | 'name'>;

/** A status page in a list of references. */
export type PageName = Pick<StatusPage, 'slug' | 'name' | 'published'>;

/** How many dependents are listed. */
const MAX_DEPENDENTS = 10;

/** The references of a monitor, in one query. Throws NOT_FOUND. */
export async function readReferences(ctx: OrganizationContext, id: string): Promise<References> {
  requirePermission(ctx, 'monitor.read');
  const [row] = await ctx.db.$queryRaw<References[]>`
    SELECT (SELECT coalesce(json_agg(json_build_object('slug', slug, 'name', name, 'published', published)
                                     ORDER BY name, page.id), '[]')
              FROM status_page_monitor
              JOIN status_page AS page ON page.id = page_id
             WHERE monitor_id = monitor.id) AS pages,
           (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name) ORDER BY name, id), '[]')
              FROM monitor AS parent
             WHERE parent.id = ANY(monitor.depends_on)) AS "dependsOn",
           (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name) ORDER BY name, id), '[]')
              FROM (SELECT id, name
                      FROM monitor AS around
                     WHERE around.members && ARRAY[monitor.id]
                       AND around.members <> '{}'
                       AND around.organization_id = monitor.organization_id
                     ORDER BY name, id
                     LIMIT ${MAX_DEPENDENTS}) AS named) AS groups,
           (SELECT json_build_object(
                     'count', count(*),
                     'first', coalesce(json_agg(json_build_object('id', id, 'name', name) ORDER BY place)
                                         FILTER (WHERE place <= ${MAX_DEPENDENTS}), '[]'))
              FROM (SELECT id, name, row_number() OVER (ORDER BY name, id) AS place
                      FROM monitor AS child
                     WHERE child.depends_on && ARRAY[monitor.id]
                       AND child.depends_on <> '{}'
                       AND child.organization_id = monitor.organization_id) AS named) AS dependents
      FROM monitor
     WHERE monitor.id = ${id} AND monitor.organization_id = ${ctx.organizationId}`;
  return requireFound(row, 'Monitor');
}
