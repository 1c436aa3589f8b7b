import { describe, expect, it } from 'vitest';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { changePublication } from '@/lib/domain/incidents/change-publication';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { addPage, changePage, refusal } from '@/lib/domain/status-pages/testing/pages';
import { MINUTE } from '@/lib/engine/mail/testing/subscriber-story';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import type { AutomaticIncidents } from '@/lib/schemas/status-pages/automatic-incidents';
import { useTestDatabase } from '@/lib/testing/database';
import {
  AFTER_10,
  beginPublicationStory,
  HIDDEN,
  IMMEDIATELY,
  MANUALLY,
  SHOWN,
} from './testing/publication-story';

const database = useTestDatabase();
const begin = (automaticIncidents: AutomaticIncidents) =>
  beginPublicationStory(database.db, automaticIncidents);

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

  it('mails what was written before in the language of each subscriber', async () => {
    const story = await begin(MANUALLY);
    const where = { pageId: story.page.id };
    await database.db.pageSubscriber.updateMany({ where, data: { language: 'de' } });
    await story.check(FAILED);
    const id = await story.own();
    await story.update(id, { message: 'Found it.', translations: { de: { message: 'Gefunden.' } } });
    await updateIncident(story.ctx, id, { publishedOn: [story.page.id] });
    await story.newSubjects();
    const texts = JSON.stringify((await story.mails()).map(({ content }) => content));
    expect(texts).toContain('Gefunden.');
    expect(texts).not.toContain('Found it.');
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

it('people who publish and hide an incident at the same time change only their page', async () => {
  const story = await begin(MANUALLY);
  const other = await addPage(story.ctx, { monitors: [story.monitor.id], automaticIncidents: MANUALLY });
  await story.check(FAILED);
  const id = await story.own();
  await updateIncident(story.ctx, id, { publishedOn: [other.id] });
  const change = (pageId: string, isPublished: boolean) =>
    changePublication(story.ctx, id, { pageId, isPublished });
  await Promise.all([change(story.page.id, true), change(other.id, false)]);
  expect((await getIncident(story.ctx, id)).publishedOn).toEqual([story.page.id]);
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

  it('notifies nobody of an update of an incident that stays hidden', async () => {
    const story = await begin(MANUALLY);
    await story.check(FAILED);
    await story.check(OK);
    await changePage(story.ctx, story.page.slug, { automaticIncidents: IMMEDIATELY });
    await story.update(await story.own(), { message: 'A disk was full.' });
    expect(await story.newSubjects()).toEqual([]);
    expect(await story.seen()).toMatchObject({ incidents: 0 });
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

it('a page refuses minutes that are missing, out of range or meaningless, and other choices', async () => {
  const { ctx } = await begin(IMMEDIATELY);
  const choices = [
    { show: 'after' },
    { show: 'after', afterMinutes: 0 },
    { show: 'after', afterMinutes: 1441 },
    { show: 'manually', afterMinutes: 5 },
    { show: 'never' },
  ];
  for (const automaticIncidents of choices) {
    const refused = await refusal(addPage(ctx, { automaticIncidents }));
    expect(refused, JSON.stringify(automaticIncidents)).toContain('VALIDATION_ERROR');
  }
});
