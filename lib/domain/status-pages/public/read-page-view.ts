import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { startOfBars } from '@/lib/domain/monitors/history/day-bars';
import { readLatencySeries } from '@/lib/domain/monitors/history/read-latency';
import { type Gate, publicOnly } from '@/lib/domain/status-pages/access/check-access';
import { currentAnnouncement, currentBrand, splitBrand } from '@/lib/domain/status-pages/page-brand';
import { type PageRow, serializeShown } from '@/lib/domain/status-pages/page-row';
import { listComponents, listSections, withPageNames } from '@/lib/domain/status-pages/sections/list-rows';
import { ALL_INCIDENTS, type ScopedPage, scopeOf } from '@/lib/domain/status-pages/sections/page-scope';
import { currentRows } from '@/lib/domain/status-pages/sections/resolve-sections';
import { decideRows, withStates } from '@/lib/domain/status-pages/sections/row-states';
import { readTogether } from '@/lib/platform/db/read-together';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import type { Brand } from '@/lib/schemas/status-pages/brand';
import { BRAND_DEFAULTS } from '@/lib/schemas/status-pages/brand-defaults';
import type { PagePreview } from '@/lib/schemas/status-pages/page-preview';
import type { PageSection } from '@/lib/schemas/status-pages/sections';
import {
  type IncidentCount,
  readIncidentDays,
  readViewedIncidents,
  withIncidents,
} from './read-public-incidents';
import { readPublicMaintenance } from './read-public-maintenance';
import { readShownMonitors } from './read-public-monitors';
import { findPublishedPage } from './read-public-page';

/** The page itself, in every view. */
export type PageHead = ReturnType<typeof serializeShown> &
  Brand & {
    customDomainVerified: boolean;
    /** The origins of websites that may frame it, or `*`. */
    embedOrigins: readonly string[];
  };

/** A UTC day with its incidents, if any. */
export type ViewedDay = DayBar & { incidents?: IncidentCount };

/** The content of the public web page; `asOf` is when it was read. */
export type PageView = Awaited<ReturnType<typeof readViewOf>>;
export type ViewedMonitor = PageView['monitors'][number];
export type ViewedSection = PageView['sections'][number];

/**
 * The content of a published page, including its bars and charts, in a fixed number of statements. Throws NOT_FOUND for an unknown
 * or unpublished page, and what `admit` throws.
 */
export async function readPageView(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  slug: string,
  admit: Gate = publicOnly,
): Promise<PageView> {
  const page = await findPublishedPage(db, slug, admit);
  const now = clock.now();
  return readViewOf({ db }, serializeHead(page, now), page, now);
}

/** The content of a page with these rows, all of one organization. */
async function readViewOf({ db }: Pick<Services, 'db'>, head: PageHead, rows: ScopedPage, now: Date) {
  const scope = scopeOf(rows);
  const { monitorIds } = scope;
  const { uptimeDays } = head;
  const [[monitors, incidents, maintenance, incidentDays], latencies] = await Promise.all([
    readTogether(db, (reader) =>
      Promise.all([
        readShownMonitors({ db: reader }, monitorIds, { now, uptimeDays }),
        readViewedIncidents({ db: reader }, scope, now),
        readPublicMaintenance(reader, monitorIds, now),
        readIncidentDays(reader, scope, { since: startOfBars(now, uptimeDays), now }),
      ]),
    ),
    head.showResponseTimes ? readLatencySeries(db, monitorIds, now) : null,
  ]);
  const { status, states } = decideRows(rows, monitors, incidents);
  return {
    page: head,
    asOf: now.toISOString(),
    status,
    sections: listSections(rows).map((section) => withStates(section, states)),
    components: listComponents(rows),
    monitors: withPageNames(rows, monitors).map((monitor) => ({
      ...monitor,
      state: states.get(monitor.id) ?? monitor.status,
      days: withIncidents(monitor.days, incidentDays.get(monitor.id)),
      /** null: the page does not show them. */
      responseTimes: latencies?.get(monitor.id) ?? null,
    })),
    incidents,
    maintenance,
  };
}

/** The page itself at `now`, for every view. */
export function serializeHead(page: PageRow, now: Date): PageHead {
  return {
    ...serializeShown(page),
    ...page.brand,
    announcement: currentAnnouncement(page.brand, now),
    customDomainVerified: page.customDomainVerifiedAt !== null,
    // A frame on another website could show those who are admitted to a private page what they did not ask for.
    embedOrigins: page.visibility === 'public' ? page.embedOrigins : [],
  };
}

/** What of a page may be shown to those who may not see it: its name and colors. */
export function serializeReducedHead(page: PageRow): PageHead {
  const brand = { ...BRAND_DEFAULTS, poweredBy: page.brand.poweredBy };
  const shown = { ...page, brand, description: null, logoUrl: null };
  return { ...serializeShown(shown), ...brand, customDomainVerified: false, embedOrigins: [] };
}

type Unsaved = Omit<PagePreview, 'scheme'>;

/**
 * The content of an unsaved page with the current state of its monitors, without those of other organizations. Throws
 * FORBIDDEN.
 */
export async function previewPage(ctx: OrganizationContext, preview: Unsaved): Promise<PageView> {
  requirePermission(ctx, 'status-page.read');
  const { db, clock, organizationId } = ctx;
  const now = clock.now();
  const where = { organizationId, id: { in: preview.monitors } };
  const own = await db.monitor.findMany({ where, select: { id: true } });
  const known = new Set(own.map(({ id }) => id));
  const monitors = preview.monitors.filter((id) => known.has(id));
  const rows = currentRows({ monitors, sections: preview.sections.map(withIds) });
  return readViewOf({ db }, headOf(preview, now), { organizationId, ...rows, ...ALL_INCIDENTS }, now);
}

/** A section whose new components have IDs that no incident names. */
function withIds(section: Unsaved['sections'][number], place: number): PageSection {
  const items = section.items.map((item, index) => {
    const { monitorId, componentId, name, description } = item;
    if (monitorId !== null) return { monitorId, componentId: null, name, description };
    return { monitorId, componentId: componentId ?? `new-${place}-${index}`, name: name ?? '', description };
  });
  return { ...section, items };
}

function headOf(unsaved: Unsaved, now: Date): PageHead {
  const { name, description, logoUrl, theme, appearance, showResponseTimes, uptimeDays } = unsaved;
  const brand = currentBrand(splitBrand(unsaved).brand);
  return {
    id: 'sp_preview',
    name: name.trim() || 'Untitled',
    slug: 'preview',
    description: description.trim() || null,
    published: false,
    theme,
    appearance,
    logoUrl,
    customDomain: null,
    customDomainVerified: false,
    embedOrigins: [],
    showResponseTimes,
    uptimeDays,
    ...brand,
    announcement: currentAnnouncement(brand, now),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}
