import { expect } from 'vitest';
import { readPageRow } from '@/lib/domain/status-pages/page-row';
import { readBadge } from '@/lib/domain/status-pages/public/badge';
import { readFeed } from '@/lib/domain/status-pages/public/read-feed';
import { readHistoryView } from '@/lib/domain/status-pages/public/read-history-view';
import { readPageView } from '@/lib/domain/status-pages/public/read-page-view';
import { readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { readPageStates, readPageStatus } from '@/lib/domain/status-pages/read-page-status';
import { readStatuspage } from '@/lib/domain/status-pages/statuspage/read-statuspage';
import { beginSubscriberStory } from '@/lib/engine/mail/testing/subscriber-story';
import { FAILED, OK } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { AutomaticIncidents } from '@/lib/schemas/status-pages/automatic-incidents';
import { publishDueIncidents } from '../publish-due-incidents';

export const AFTER_10: AutomaticIncidents = { show: 'after', afterMinutes: 10 };
export const MANUALLY: AutomaticIncidents = { show: 'manually', afterMinutes: null };
export const IMMEDIATELY: AutomaticIncidents = { show: 'immediately', afterMinutes: null };

/** A page with one monitor and one subscriber, and everything that visitors see of it. */
export async function beginPublicationStory(db: Database, automaticIncidents: AutomaticIncidents) {
  const story = await beginSubscriberStory(db, { page: { automaticIncidents } });
  const { services, ctx, page, monitor, clock } = story;
  await story.check(OK);
  return {
    ...story,
    /** Publishes what is due, and returns how many of the page's incidents were published until now. */
    publish: async () => {
      await publishDueIncidents(services);
      return db.incidentPublication.count({ where: { pageId: page.id } });
    },
    /** Time in which checks go on, the last one at its end. */
    fail: async (ms: number) => {
      clock.advance(ms - 90_000);
      await story.check(FAILED);
    },
    /** The automatic incident, which nobody may see. */
    own: async () => {
      const incident = await db.incident.findFirstOrThrow({
        where: { monitorId: monitor.id },
        orderBy: { createdAt: 'desc' },
      });
      return incident.id;
    },
    seen: async () => {
      const row = await readPageRow(db, Prisma.sql`id = ${page.id}`);
      const [json, view, history, feed, statuspage, badge, monitorBadge, { state }, states] =
        await Promise.all([
          readPublicPage(services, page.slug),
          readPageView(services, page.slug),
          readHistoryView(services, page.slug),
          readFeed(services, row),
          readStatuspage(services, row, { document: 'summary.json', address: 'https://acme.test' }),
          readBadge(services, row, { show: 'status' }),
          readBadge(services, row, { show: 'status', monitor: monitor.id }),
          readPageStatus(services, row),
          readPageStates(ctx),
        ]);
      const counts = [
        json.incidents.length,
        view.incidents.length,
        history.incidents.length,
        feed.incidents.length,
        ...[view, history].map(({ monitors }) =>
          Math.max(...monitors.flatMap(({ days }) => days.map(({ incidents }) => incidents?.all ?? 0))),
        ),
      ];
      expect(new Set(counts).size).toBe(1);
      expect(states.get(page.id)).toBe(state);
      expect(badge.figure).toEqual({ state });
      return {
        incidents: counts[0],
        indicator: json.indicator,
        headline: json.headline,
        row: view.monitors[0]?.state,
        badge: 'state' in monitorBadge.figure && monitorBadge.figure.state,
        statuspage: [statuspage.status.indicator, ...statuspage.components.map(({ status }) => status)],
        // As the contract has it.
        json: [json.status, json.monitors[0]?.status],
        clock: clock.now(),
      };
    },
  };
}

export const HIDDEN = {
  incidents: 0,
  indicator: 'none',
  headline: 'All systems operational',
  row: 'operational',
  badge: 'operational',
  statuspage: ['none', 'operational'],
  json: ['down', 'down'],
};
export const SHOWN = {
  incidents: 1,
  indicator: 'critical',
  headline: 'Major outage: Shop',
  row: 'down',
  badge: 'down',
  statuspage: ['critical', 'major_outage'],
};
