import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import {
  createIncidentTemplateSchema,
  MAX_INCIDENT_TEMPLATES,
  updateIncidentTemplateSchema,
} from '@/lib/schemas/incidents/incident-template';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { createIncidentTemplate, deleteIncidentTemplate, updateIncidentTemplate } from './change-templates';
import { getIncidentTemplate, listIncidentTemplates } from './read-templates';

const NOW = new Date('2026-03-10T18:00:00.000Z');

const database = useSharedDatabase();
const clock = createManualClock(NOW);
const organization = () => createTestOrganization(createTestServices({ db: database.db, clock }));
let mine: TestOrganization;

beforeAll(async () => {
  mine = await organization();
});

const create = (fields: Record<string, unknown>, { ctx } = mine) =>
  createIncidentTemplate(ctx, createIncidentTemplateSchema.parse(fields));

describe('an incident template', () => {
  it('has defaults for all but its name, and is listed by name, not to others', async () => {
    const own = await organization();
    const shop = await create({ name: 'Shop' }, own);
    expect(shop).toMatchObject({
      title: '',
      severity: 'major',
      status: 'investigating',
      message: '',
      version: 1,
      affectedMonitors: [],
      affectedComponents: [],
      createdAt: NOW.toISOString(),
    });
    const mail = await create({ name: 'Mail', title: 'Mail is late', severity: 'minor' }, own);
    expect(await listIncidentTemplates(own.ctx)).toEqual([mail, shop]);
    expect(await listIncidentTemplates((await organization()).ctx)).toEqual([]);
    await expect(getIncidentTemplate(mine.ctx, shop.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(deleteIncidentTemplate(mine.ctx, shop.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keeps the IDs of deleted monitors, and takes no unknown ones', async () => {
    const monitor = await createMonitor(
      mine.ctx,
      createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' }),
    );
    const template = await create({ name: 'Shop', affectedMonitors: [monitor.id] });
    await deleteMonitor(mine.ctx, monitor.id);
    const sent = updateIncidentTemplateSchema.parse({ ...template, message: 'We are on it.' });
    expect(await updateIncidentTemplate(mine.ctx, template.id, sent)).toMatchObject({
      affectedMonitors: [monitor.id],
      message: 'We are on it.',
      version: 2,
    });
    const unknown = { code: 'UNKNOWN_MONITOR', details: [{ path: 'affectedMonitors.0' }] };
    await expect(create({ name: 'Other', affectedMonitors: [monitor.id] })).rejects.toMatchObject(unknown);
    const component = create({ name: 'Other', affectedComponents: ['cmp_1'] });
    await expect(component).rejects.toMatchObject({ details: [{ path: 'affectedComponents.0' }] });
  });
});

it('an organization has at most 100 incident templates, however many are created at once', async () => {
  const own = await organization();
  const { organizationId } = own.ctx;
  await database.db.$executeRaw`
    INSERT INTO incident_template (id, organization_id, name, title, severity, status, message, affected_monitors,
           affected_components, created_at, updated_at)
    SELECT ${`${organizationId}_`} || n, ${organizationId}, 'T', '', 'major', 'investigating', '', '{}', '{}', ${NOW}, ${NOW}
      FROM generate_series(2, ${MAX_INCIDENT_TEMPLATES}::int) AS n`;
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => create({ name: 'New' }, own)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await listIncidentTemplates(own.ctx)).toHaveLength(MAX_INCIDENT_TEMPLATES);
});
