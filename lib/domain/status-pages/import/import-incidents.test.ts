import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import {
  importIncidentsSchema,
  MAX_IMPORTED_IN_ORGANIZATION,
  MAX_IMPORTED_INCIDENTS,
} from '@/lib/schemas/incidents/incident-import';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readHistoryView, readIncidentView } from '../public/read-history-view';
import { addMonitor, addPage } from '../testing/pages';
import { importIncidents } from './import-incidents';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const database = useTestDatabase();

/** A published page with a monitor and two components, whose subscribers, members and endpoints are notified of every incident. */
async function begin() {
  const clock = createManualClock(NOW);
  const services = {
    ...createTestServices({ db: database.db, clock, mail: true }),
    appUrl: 'https://pharos.test',
  };
  const { ctx, organizationId } = await createTestOrganization(services);
  await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const monitorId = await addMonitor(ctx, { name: 'Shop' });
  const { id: pageId, slug } = await addPage(ctx, {
    published: true,
    monitors: [monitorId],
    sections: [{ name: 'Everything', items: [{ monitorId }, { name: 'Web shop' }, { name: 'API' }] }],
  });
  const { sections } = await database.db.statusPage.findUniqueOrThrow({ where: { id: pageId } });
  const componentId = JSON.stringify(sections).match(/cmp_[0-9a-z]+/)?.[0] ?? '';
  await database.db.pageSubscriber.create({
    data: {
      id: `sub_${organizationId.slice(4)}`,
      pageId,
      email: 'reader@example.com',
      language: 'en',
      tokenHash: Buffer.from(organizationId),
      requestedAt: NOW,
      createdAt: NOW,
      confirmedAt: NOW,
    },
  });
  return {
    ctx,
    slug,
    organizationId,
    pageId,
    monitorId,
    componentId,
    services,
    import: (incidents: readonly object[], to = ctx) =>
      importIncidents(to, slug, importIncidentsSchema.parse({ source: 'Statuspage', incidents })),
    stored: () =>
      database.db.incident.findMany({
        where: { organizationId },
        include: { updates: { orderBy: { id: 'asc' } } },
        orderBy: { number: 'asc' },
      }),
    audits: () => database.db.auditEntry.findMany({ where: { organizationId, action: 'incident.import' } }),
  };
}

/** The tables that have another number of rows after `act`. */
async function changedTables(act: () => Promise<unknown>): Promise<string[]> {
  const read = async () => {
    const counts = await database.db.$queryRaw<{ name: string; rows: string }[]>`
      SELECT tablename AS name,
             (xpath('//c/text()', query_to_xml(format('SELECT count(*) AS c FROM %I', tablename), false, true, '')))[1]::text AS rows
        FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`;
    return new Map(counts.map(({ name, rows }) => [name, rows]));
  };
  const before = await read();
  await act();
  return [...(await read())].flatMap(([name, rows]) => (before.get(name) === rows ? [] : name));
}

const past = (fields: object = {}) => ({
  ref: 'statuspage-1',
  title: 'Checkout is slow',
  severity: 'major',
  startedAt: '2024-06-10T08:00:00.000Z',
  resolvedAt: '2024-06-10T10:00:00.000Z',
  rows: ['web SHOP'],
  updates: [
    { status: 'resolved', message: 'It is over.', createdAt: '2024-06-10T10:00:00.000Z' },
    { status: 'investigating', message: 'We are looking.', createdAt: '2024-06-10T08:05:00.000Z' },
  ],
  ...fields,
});
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => past({ ref: `statuspage-${n}`, title: `Incident ${n}` }));

describe('an import of incidents', () => {
  it('stores past incidents as resolved ones of people, with their updates at their own times', async () => {
    const story = await begin();
    const incident = past({
      rows: ['Web shop', story.monitorId],
      impacts: { 'web shop': 'critical' },
      description: 'More.',
      postmortem: '## Why',
    });
    expect(await story.import([incident])).toEqual({ created: 1, existing: 0, invalid: 0, refused: [] });
    const [stored] = await story.stored();
    expect(stored).toMatchObject({
      title: 'Checkout is slow',
      description: 'More.',
      status: 'resolved',
      severity: 'major',
      automatic: false,
      monitorId: null,
      affectedMonitors: [story.monitorId],
      affectedComponents: [story.componentId],
      impacts: { [story.componentId]: 'critical' },
      startedAt: new Date(incident.startedAt),
      createdAt: new Date(incident.startedAt),
      updatedAt: new Date(incident.resolvedAt),
      resolvedAt: new Date(incident.resolvedAt),
      postmortem: '## Why',
      postmortemPublishedAt: new Date(incident.resolvedAt),
      importRef: 'statuspage-1',
      version: 1,
    });
    expect(
      stored?.updates.map(({ status, message, author, createdAt }) => [status, message, author, createdAt]),
    ).toEqual(
      incident.updates.map(({ status, message, createdAt }) => [
        status,
        message,
        'Statuspage',
        new Date(createdAt),
      ]),
    );
    const [entry, ...others] = await story.audits();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      subjectId: story.pageId,
      after: { created: 1, existing: 0, invalid: 0, source: 'Statuspage' },
    });
  });

  it('notifies nobody: it adds rows to no other tables than those of incidents and the audit log', async () => {
    const story = await begin();
    const rows = ['Shop', 'Web shop', 'API'];
    const imported = () => story.import([past({ rows, severity: 'critical', postmortem: 'Why' })]);
    expect(await changedTables(imported)).toEqual(['audit_entry', 'incident', 'incident_update']);
    const affected = { affectedMonitors: [story.monitorId], affectedComponents: [story.componentId] };
    const incident = createIncidentSchema.parse({
      title: 'Checkout is slow',
      status: 'resolved',
      ...affected,
    });
    const created = await changedTables(() => createIncident(story.ctx, incident));
    expect(created).toEqual(expect.arrayContaining(['delivery', 'outbox_event', 'page_notice']));
  });

  it('is shown in the history of the page with its updates, although the page is younger', async () => {
    const story = await begin();
    await story.import([past()]);
    const history = await readHistoryView(story.services, story.slug, '2024-06');
    expect(history.incidents).toMatchObject([
      { title: 'Checkout is slow', updates: [{ message: 'It is over.' }, { message: 'We are looking.' }] },
    ]);
    expect([history.previous, history.next]).toEqual([null, '2024-07']);
    await expect(readHistoryView(story.services, story.slug, '2024-05')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const current = await readHistoryView(story.services, story.slug);
    expect([current.previous, current.year]).toEqual(['2026-02', ['2026-03']]);
    const [{ id } = { id: '' }] = history.incidents;
    const view = await readIncidentView(story.services, story.slug, id);
    expect(view.incident).toMatchObject({ status: 'resolved', startedAt: past().startedAt });
  });

  it('changes nothing the second time, not even what people edited or whose row was renamed', async () => {
    const story = await begin();
    const list = [...many(3), past({ ref: 'bad', rows: ['Login'] })];
    const first = await story.import(list);
    const [{ id } = { id: '' }] = await story.stored();
    await updateIncident(story.ctx, id, { title: 'Edited' });
    await database.db.$executeRaw`
      UPDATE status_page SET sections = replace(sections::text, 'Web shop', 'Store')::jsonb WHERE id = ${story.pageId}`;
    const [stored, audits] = [await story.stored(), await story.audits()];
    expect(await story.import(list)).toEqual({ ...first, created: 0, existing: 3 });
    expect(await story.stored()).toEqual(stored);
    expect(await story.audits()).toEqual(audits);
  });

  it('changes nothing if it is repeated, whatever was imported', async () => {
    const story = await begin();
    const instant = fc
      .date({ min: new Date('1990-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
    const update = fc.record({
      status: fc.constantFrom('investigating', 'resolved', 'postmortem'),
      message: fc.string({ unit: 'binary' }),
      createdAt: instant,
    });
    const incident = fc.record({
      ref: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
      title: fc.string({ maxLength: 250 }),
      severity: fc.constantFrom('minor', 'major', 'none'),
      startedAt: instant,
      resolvedAt: fc.option(instant),
      rows: fc.array(fc.constantFrom('API', 'api', 'Shop', 'Login'), { maxLength: 3 }),
      impacts: fc.dictionary(
        fc.constantFrom('API', '__proto__', 'Login'),
        fc.constantFrom('minor', 'critical'),
      ),
      updates: fc.array(update, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(incident, { minLength: 1, maxLength: 6 }), async (incidents) => {
        const first = await story.import(incidents);
        expect(first.created + first.existing + first.invalid).toBe(incidents.length);
        const stored = await story.stored();
        const second = await story.import(incidents);
        expect(second).toEqual({ ...first, created: 0, existing: first.existing + first.created });
        expect(await story.stored()).toEqual(stored);
      }),
      { numRuns: 40 },
    );
  });

  it('creates each once if two run at the same time', async () => {
    const story = await begin();
    const outcomes = await Promise.all([story.import(many(20)), story.import(many(20).toReversed())]);
    expect(outcomes.map(({ created }) => created).toSorted()).toEqual([0, 20]);
    expect(await story.stored()).toHaveLength(20);
  });

  it('imports an incident once that is twice in a list', async () => {
    const story = await begin();
    expect(await story.import([past(), past({ title: 'Other' })])).toMatchObject({ created: 1, existing: 1 });
    expect(await story.stored()).toMatchObject([{ title: 'Checkout is slow' }]);
  });

  it('refuses what is not valid with the reason, and imports the rest', async () => {
    const story = await begin();
    const [tooLate, earlier] = ['2026-03-01T12:00:00.001Z', '2024-06-10T07:59:59.999Z'];
    const update = { status: 'resolved', message: 'It is over.', createdAt: tooLate };
    const outcome = await story.import([
      past({ ref: 'open', resolvedAt: null }),
      past({ ref: 'turned', resolvedAt: earlier }),
      past({ ref: 'future', resolvedAt: tooLate }),
      past({ ref: 'update', updates: [update] }),
      past({ ref: 'row', rows: ['API', 'Login'] }),
      past({ ref: 'impact', impacts: { API: 'minor' } }),
      past({ ref: 'fields', title: '', severity: 'none', more: 1 }),
      past({ ref: 'good' }),
    ]);
    expect(outcome).toMatchObject({ created: 1, existing: 0, invalid: 7 });
    expect(outcome.refused.map(({ index, ref, code, message }) => [index, ref, code, message])).toEqual([
      [0, 'open', 'not_resolved', 'is not resolved; create it as an incident of your own'],
      [1, 'turned', 'invalid_time', 'starts after it is resolved'],
      [2, 'future', 'invalid_time', 'is resolved in the future'],
      [3, 'update', 'invalid_time', 'has an update in the future'],
      [4, 'row', 'unknown_row', 'names “Login”, which is not a row of the page'],
      [5, 'impact', 'unknown_row', 'names “API”, which is not one of its rows'],
      [6, 'fields', 'invalid', expect.stringMatching(/^is not valid: .*title must not be empty/)],
    ]);
    expect(await story.stored()).toMatchObject([{ importRef: 'good' }]);
  });

  it('returns the first 100 that were refused, and counts all', async () => {
    const story = await begin();
    const { invalid, refused } = await story.import(many(150).map((each) => ({ ...each, rows: ['Login'] })));
    expect([invalid, refused.length, refused.at(-1)?.index]).toEqual([150, 100, 99]);
  });

  it('is limited to 5,000 incidents of an organization', async () => {
    const story = await begin();
    await database.db.$executeRaw`
      INSERT INTO incident (id, organization_id, title, description, status, severity, automatic, started_at, created_at,
                            updated_at, resolved_at, import_ref)
      SELECT 'inc_' || n || ${story.organizationId}, ${story.organizationId}, 'Old', '', 'resolved', 'minor', false, ${NOW},
             ${NOW}, ${NOW}, ${NOW}, 'old-' || n
        FROM generate_series(2, ${MAX_IMPORTED_IN_ORGANIZATION}) AS n`;
    const outcome = await story.import([past({ ref: 'old-7' }), past({ ref: 'a' }), past({ ref: 'b' })]);
    expect(outcome).toMatchObject({
      created: 1,
      existing: 1,
      refused: [
        { ref: 'b', code: 'too_many', message: 'exceeds 5,000 imported incidents of an organization' },
      ],
    });
  });

  it('takes as many statements for 200 incidents as for one', async () => {
    const story = await begin();
    const counting = openCountingDatabase(database.url);
    const count = (incidents: readonly object[]) =>
      counting.count(() => story.import(incidents, { ...story.ctx, db: counting.db }));
    const forOne = await count([past({ ref: 'one' })]);
    expect(await count(many(MAX_IMPORTED_INCIDENTS))).toBe(forOne);
    await counting.db.$disconnect();
    expect(await story.stored()).toHaveLength(MAX_IMPORTED_INCIDENTS + 1);
  });

  it('is none into the page of another organization, nor for those who may not create incidents', async () => {
    const [story, other] = [await begin(), await begin()];
    await expect(story.import([past()], other.ctx)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const reader = { ...story.ctx, actor: { kind: 'key', keyId: 'key_reader', scope: 'read' } as const };
    await expect(story.import([past()], reader)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
