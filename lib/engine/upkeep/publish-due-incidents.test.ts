import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { changePublication } from '@/lib/domain/incidents/change-publication';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { readIncidentView } from '@/lib/domain/status-pages/public/read-history-view';
import { readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { addPage, changePage } from '@/lib/domain/status-pages/testing/pages';
import { MINUTE } from '@/lib/engine/mail/testing/subscriber-story';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { type Listening, listen } from '@/lib/platform/db/listen';
import type { AutomaticIncidents } from '@/lib/schemas/status-pages/automatic-incidents';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { waitUntil } from '@/lib/testing/wait-for';
import { dueQuery } from './publish-due-incidents';
import {
  AFTER_10,
  beginPublicationStory,
  HIDDEN,
  IMMEDIATELY,
  MANUALLY,
  SHOWN,
} from './testing/publication-story';

const database = useTestDatabase();
let listening: Listening;
let received: string[] = [];

beforeAll(async () => {
  listening = listen(database.url, ['pharos_pages', 'pharos_live'], {
    onNotify: (_, payload) => received.push(payload ?? ''),
    log: createLogger('silent', 'test'),
  });
  await waitUntil(() => received.length === 2);
});
afterAll(() => listening?.stop());

const begin = (automaticIncidents: AutomaticIncidents) =>
  beginPublicationStory(database.db, automaticIncidents);

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

  it('mails what was written before in the language of each subscriber', async () => {
    const story = await begin(AFTER_10);
    await database.db.pageSubscriber.updateMany({
      where: { pageId: story.page.id },
      data: { language: 'de' },
    });
    await story.check(FAILED);
    await story.update(await story.own(), {
      message: 'Found it.',
      translations: { de: { message: 'Gefunden.' } },
    });
    await story.fail(10 * MINUTE);
    await story.publish();
    await story.newSubjects();
    const texts = JSON.stringify((await story.mails()).map(({ content }) => content));
    expect(texts).toContain('Gefunden.');
    expect(texts).not.toContain('Found it.');
  });

  it('publishes an incident about anything on the page, as it would show it', async () => {
    const story = await begin(AFTER_10);
    const other = await story.addMonitor({ name: 'Mail' });
    const components = [{ componentId: null, name: 'Phone' }];
    const items = [{ monitorId: other.id, name: null }, ...components];
    const page = await addPage(story.ctx, {
      monitors: undefined,
      automaticIncidents: AFTER_10,
      sections: [{ name: 'Rest', items }],
    });
    const phone = page.sections[0]?.items[1]?.componentId ?? '';
    await story.check(FAILED);
    const id = await story.own();
    const publishedOn = async (affected: object) => {
      await updateIncident(story.ctx, id, affected);
      await story.publish();
      return (await getIncident(story.ctx, id)).publishedOn;
    };
    story.clock.advance(10 * MINUTE);
    expect(await publishedOn({ affectedMonitors: [] })).toEqual([]);
    expect(await publishedOn({ affectedComponents: [phone] })).toEqual([page.id]);
    expect(await publishedOn({ affectedMonitors: [story.monitor.id] })).toContain(story.page.id);
    const third = await addPage(story.ctx, { monitors: [other.id], automaticIncidents: AFTER_10 });
    expect(await publishedOn({ affectedMonitors: [other.id] })).toContain(third.id);
  });

  it('is not published on a page that is being changed, and keeps viewers up to date', async () => {
    const story = await begin(AFTER_10);
    await story.check(FAILED);
    story.clock.advance(10 * MINUTE);
    await database.db.$transaction(async (tx) => {
      await tx.statusPage.update({ where: { id: story.page.id }, data: { automaticDelay: null } });
      expect(await story.publish()).toBe(0);
    });
    expect(await story.publish()).toBe(0);
    await changePage(story.ctx, story.page.slug, { automaticIncidents: AFTER_10 });
    await listening.catchUp();
    received = [];
    expect(await story.publish()).toBe(1);
    await listening.catchUp();
    expect(received).toContain(`changes ${story.organizationId}`);
  });

  it('stays hidden once people hide it, and notifies nobody again when they show it', async () => {
    const story = await begin(AFTER_10);
    await story.check(FAILED);
    await story.fail(10 * MINUTE);
    expect(await story.publish()).toBe(1);
    expect(await story.newSubjects()).toEqual(['Acme: Shop is down (investigating)']);
    await story.check(FAILED);
    const toggle = async (isPublished: boolean) =>
      changePublication(story.ctx, await story.own(), { pageId: story.page.id, isPublished });
    await toggle(false);
    await story.publish();
    expect((await getIncident(story.ctx, await story.own())).publishedOn).toEqual([]);
    expect(await story.seen()).toMatchObject(HIDDEN);
    await toggle(true);
    expect(await story.seen()).toMatchObject(SHOWN);
    await toggle(false);
    await changePage(story.ctx, story.page.slug, { automaticIncidents: IMMEDIATELY });
    await changePage(story.ctx, story.page.slug, { automaticIncidents: MANUALLY });
    expect(await story.seen()).toMatchObject(SHOWN);
    expect(await story.newSubjects()).toEqual([]);
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
