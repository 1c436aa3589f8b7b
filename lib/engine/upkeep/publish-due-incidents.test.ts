import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { readPageStates, readPageStatus } from '@/lib/domain/status-pages/aggregate-status';
import { readPageRow } from '@/lib/domain/status-pages/page-row';
import { readBadge } from '@/lib/domain/status-pages/public/badge';
import { readFeed } from '@/lib/domain/status-pages/public/read-feed';
import { readHistoryView, readIncidentView } from '@/lib/domain/status-pages/public/read-history-view';
import { readPageView } from '@/lib/domain/status-pages/public/read-page-view';
import { readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { readStatuspage } from '@/lib/domain/status-pages/statuspage/read-statuspage';
import { addPage, changePage, refusal } from '@/lib/domain/status-pages/testing/pages';
import { beginSubscriberStory, MINUTE } from '@/lib/engine/mail/testing/subscriber-story';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { Prisma } from '@/lib/platform/db/generated/client';
import { type Listening, listen } from '@/lib/platform/db/listen';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import type { AutomaticIncidents } from '@/lib/schemas/status-pages/automatic-incidents';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { dueQuery, publishDueIncidents } from './publish-due-incidents';

const database = useTestDatabase();
let listening: Listening;
let received: string[] = [];

beforeAll(async () => {
  listening = listen(database.url, ['pharos_pages'], {
    onNotify: (_, payload) => received.push(payload ?? ''),
    log: createLogger('silent', 'test'),
  });
  await vi.waitUntil(() => received.length === 1);
});
afterAll(() => listening?.stop());

const AFTER_10: AutomaticIncidents = { show: 'after', afterMinutes: 10 };
const MANUALLY: AutomaticIncidents = { show: 'manually', afterMinutes: null };
const IMMEDIATELY: AutomaticIncidents = { show: 'immediately', afterMinutes: null };

/** A page with one monitor and one subscriber, and everything that visitors see of it. */
async function begin(automaticIncidents: AutomaticIncidents) {
  const story = await beginSubscriberStory(database.db, { page: { automaticIncidents } });
  const { services, ctx, page, monitor, clock } = story;
  await story.check(OK);
  return {
    ...story,
    /** Publishes what is due, and returns how many of the page's incidents were published until now. */
    publish: async () => {
      await publishDueIncidents(services);
      return database.db.incidentPublication.count({ where: { pageId: page.id } });
    },
    /** Time in which checks go on, the last one at its end. */
    fail: async (ms: number) => {
      clock.advance(ms - 90_000);
      await story.check(FAILED);
    },
    /** The automatic incident, which nobody may see. */
    own: async () => {
      const incident = await database.db.incident.findFirstOrThrow({
        where: { monitorId: monitor.id },
        orderBy: { createdAt: 'desc' },
      });
      return incident.id;
    },
    seen: async () => {
      const row = await readPageRow(database.db, Prisma.sql`id = ${page.id}`);
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
          Math.max(...monitors.flatMap(({ days }) => days.map(({ incidents = 0 }) => incidents))),
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

const HIDDEN = {
  incidents: 0,
  indicator: 'none',
  headline: 'All systems operational',
  row: 'operational',
  badge: 'operational',
  statuspage: ['none', 'operational'],
  json: ['down', 'down'],
};
const SHOWN = {
  incidents: 1,
  indicator: 'critical',
  headline: 'Major outage: Shop',
  row: 'down',
  badge: 'down',
  statuspage: ['critical', 'major_outage'],
};

describe('a page that waits for ten minutes', () => {
  it('shows nothing of an incident before, and then everything, with a purge and a mail', async () => {
    const story = await begin(AFTER_10);
    await story.check(FAILED);
    expect(await story.seen()).toMatchObject(HIDDEN);
    await expect(readIncidentView(story.services, story.page.slug, await story.own())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await story.fail(10 * MINUTE - 1);
    expect(await story.newSubjects(0)).toEqual([]);
    expect(await story.publish()).toBe(0);
    expect(await story.seen()).toMatchObject(HIDDEN);

    story.clock.advance(1);
    await listening.catchUp();
    received = [];
    expect(await story.publish()).toBe(1);
    await listening.catchUp();
    expect(received).toContain(story.page.id);
    expect(await story.seen()).toMatchObject(SHOWN);
    await readIncidentView(story.services, story.page.slug, await story.own());
    expect(await story.newSubjects()).toEqual(['Acme: Shop is down (investigating)']);
    await story.check(OK);
    expect(await story.seen()).toMatchObject({ incidents: 1, indicator: 'none', row: 'operational' });
    expect(await story.newSubjects()).toEqual(['Acme: Shop is down (resolved)']);
  });

  it('never shows an incident that ended before', async () => {
    const story = await begin(AFTER_10);
    await story.check(FAILED);
    await story.check(OK);
    story.clock.advance(20 * MINUTE);
    expect(await story.publish()).toBe(0);
    expect(await story.seen()).toMatchObject({ incidents: 0 });
    expect(await story.newSubjects()).toEqual([]);
  });

  it('shows incidents of people at once', async () => {
    const story = await begin(AFTER_10);
    await story.incident({ severity: 'minor' });
    expect(await story.seen()).toMatchObject({ incidents: 1, indicator: 'minor', row: 'degraded' });
    expect(await story.newSubjects()).toEqual(['Acme: Slow (investigating)']);
  });

  it('lets two workers publish each incident once', async () => {
    const story = await begin(AFTER_10);
    await story.check(FAILED);
    story.clock.advance(10 * MINUTE);
    await Promise.all([story.publish(), story.publish()]);
    expect(await story.newSubjects()).toEqual(['Acme: Shop is down (investigating)']);
    expect(await database.db.incidentPublication.count({ where: { pageId: story.page.id } })).toBe(1);
  });

  it('does not change other pages with the same monitor', async () => {
    const story = await begin(AFTER_10);
    const other = await addPage(story.ctx, { published: true, monitors: [story.monitor.id] });
    await story.check(FAILED);
    expect((await readPublicPage(story.services, other.slug)).indicator).toBe('critical');
    expect(await story.seen()).toMatchObject(HIDDEN);
  });
});

describe('a page on which people publish incidents', () => {
  it('shows one only once it is published, and hides it again', async () => {
    const story = await begin(MANUALLY);
    await story.check(FAILED);
    await story.fail(600 * MINUTE);
    expect(await story.publish()).toBe(0);
    expect(await story.seen()).toMatchObject(HIDDEN);
    const id = await story.own();
    const { publishedOn } = await updateIncident(story.ctx, id, { publishedOn: [story.page.id] });
    expect(publishedOn).toEqual([story.page.id]);
    expect(await story.seen()).toMatchObject(SHOWN);
    expect(await story.newSubjects()).toEqual(['Acme: Shop is down (investigating)']);
    await story.fail(2 * MINUTE);
    await updateIncident(story.ctx, id, { publishedOn: [] });
    expect(await story.seen()).toMatchObject(HIDDEN);
    story.clock.advance(60 * MINUTE);
    const noData = { row: 'noData', statuspage: ['none', 'operational'] };
    expect(await story.seen()).toMatchObject(noData);
    const audited = await database.db.auditEntry.findMany({
      where: { organizationId: story.organizationId, action: 'incident.update' },
      orderBy: { id: 'asc' },
    });
    expect(audited.map(({ before, after }) => [before, after])).toEqual([
      [{ publishedOn: [] }, { publishedOn: [story.page.id] }],
      [{ publishedOn: [story.page.id] }, { publishedOn: [] }],
    ]);
  });

  it('sends no mail about one that is over', async () => {
    const story = await begin(MANUALLY);
    await story.check(FAILED);
    await story.check(OK);
    await updateIncident(story.ctx, await story.own(), { publishedOn: [story.page.id] });
    expect(await story.newSubjects()).toEqual([]);
    expect(await story.seen()).toMatchObject({ incidents: 1, indicator: 'none' });
  });

  it('refuses pages of others, and incidents of people', async () => {
    const [story, other] = [await begin(MANUALLY), await begin(MANUALLY)];
    await story.check(FAILED);
    const publish = async (id: string, pageId: string) =>
      refusal(updateIncident(story.ctx, id, { publishedOn: [pageId] }));
    expect(await publish(await story.own(), other.page.id)).toEqual([
      'VALIDATION_ERROR',
      'publishedOn.0 invalid',
    ]);
    const manual = await createIncident(story.ctx, createIncidentSchema.parse({ title: 'Slow' }));
    expect(await publish(manual.id, story.page.id)).toEqual(['VALIDATION_ERROR', 'publishedOn invalid']);
  });
});

describe('a page that shows incidents immediately', () => {
  it('notifies its subscribers once, also if people publish the incident there', async () => {
    const story = await begin(IMMEDIATELY);
    await story.check(FAILED);
    expect(await story.newSubjects()).toEqual(['Acme: Shop is down (investigating)']);
    const published = { publishedOn: [story.page.id] };
    expect(await updateIncident(story.ctx, await story.own(), published)).toMatchObject(published);
    expect(await story.newSubjects()).toEqual([]);
    expect(await story.seen()).toMatchObject({ incidents: 1 });
  });
});

describe('a page whose choice changes', () => {
  it.each([AFTER_10, MANUALLY])('from %j to immediately notifies of what is open, once', async (choice) => {
    const story = await begin(choice);
    const shown = { published: true, monitors: [story.monitor.id] };
    const other = await addPage(story.ctx, { ...shown, automaticIncidents: choice });
    await story.check(FAILED);
    await story.check(OK);
    await story.check(FAILED);
    const choose = (automaticIncidents: AutomaticIncidents) =>
      changePage(story.ctx, story.page.slug, { automaticIncidents });
    await choose(IMMEDIATELY);
    expect(await story.seen()).toMatchObject(SHOWN);
    expect(await story.newSubjects()).toEqual(['Acme: Shop is down (investigating)']);
    await choose(choice);
    await choose(IMMEDIATELY);
    expect(await story.newSubjects()).toEqual([]);
    expect(await database.db.incidentPublication.count({ where: { pageId: other.id } })).toBe(0);
  });

  it('keeps what it has shown, and what it has not shown stays hidden', async () => {
    const story = await begin(IMMEDIATELY);
    const outage = async () => {
      await story.check(FAILED);
      await story.check(OK);
      return (await story.seen()).incidents;
    };
    expect(await outage()).toBe(1);
    const choose = (automaticIncidents: AutomaticIncidents) =>
      changePage(story.ctx, story.page.slug, { automaticIncidents });
    const { version, automaticIncidents } = await choose(MANUALLY);
    expect([version, automaticIncidents]).toEqual([story.page.version + 1, MANUALLY]);
    expect(await outage()).toBe(1);
    await choose(IMMEDIATELY);
    expect(await outage()).toBe(2);
    await choose(AFTER_10);
    expect(await outage()).toBe(2);
    await choose(IMMEDIATELY);
    expect((await story.seen()).incidents).toBe(2);
  });

  it('shows an open incident as soon as the new choice allows', async () => {
    const story = await begin(MANUALLY);
    await story.check(FAILED);
    await changePage(story.ctx, story.page.slug, { automaticIncidents: AFTER_10 });
    await story.fail(10 * MINUTE);
    expect(await story.publish()).toBe(1);
    expect(await story.seen()).toMatchObject(SHOWN);
    const { publishedOn } = await getIncident(story.ctx, await story.own());
    expect(publishedOn).toEqual([story.page.id]);
  });
});

it.each([
  { show: 'after' },
  { show: 'after', afterMinutes: 0 },
  { show: 'after', afterMinutes: 1441 },
  { show: 'manually', afterMinutes: 5 },
  { show: 'never' },
])('a page refuses %j', async (automaticIncidents) => {
  const { ctx } = await begin(IMMEDIATELY);
  expect(await refusal(addPage(ctx, { automaticIncidents }))).toContain('VALIDATION_ERROR');
});

it('the search for what is due reads only pages that wait and their open incidents', async () => {
  const story = await begin(AFTER_10);
  await database.db.$executeRaw`
    INSERT INTO incident (id, organization_id, title, description, status, severity, automatic, monitor_id, affected_monitors,
                          started_at, created_at, updated_at, resolved_at)
    SELECT 'inc_' || n, ${story.organizationId}, '', '', 'resolved', 'critical', true, ${story.monitor.id},
           ARRAY[${story.monitor.id}], ${story.clock.now()}, ${story.clock.now()}, ${story.clock.now()}, ${story.clock.now()}
      FROM generate_series(1, 5000) AS n`;
  await database.db.$executeRawUnsafe('VACUUM ANALYZE incident');
  const { pages } = await explain(database.db, dueQuery(story.clock.now()));
  expect(pages).toBeLessThan(60);
});
