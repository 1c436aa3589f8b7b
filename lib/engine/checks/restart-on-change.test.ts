import { beforeAll, expect, it } from 'vitest';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { beginStory, OK } from '@/lib/engine/testing/story';
import { readCertificate } from '@/lib/platform/net/testing/servers';
import { updateMonitorSchema } from '@/lib/schemas/monitor';
import { type MonitorConfig, monitorFields } from '@/lib/schemas/monitor/fields';
import { useTestDatabase } from '@/lib/testing/database';

const database = useTestDatabase();

const HTTP = { url: 'http://shop.test/', method: 'POST', body: '{}' };

type Change = {
  /** The monitor's other fields, so that only this field changes. */
  with?: object;
  to: unknown;
};

/** Another value of every field that is part of the probe configuration. */
const PROBED = {
  url: { to: 'http://shop.test/health' },
  type: { with: { type: 'ping', url: 'shop.test', method: 'GET', body: null }, to: 'dns' },
  method: { to: 'PUT' },
  headers: { to: { 'X-Token': 'one' } },
  body: { to: '{"a": 1}' },
  expectedStatusCode: { to: 204 },
  followRedirects: { to: false },
  maxRedirects: { to: 0 },
  keyword: { to: 'welcome' },
  assertions: { to: [{ source: 'size', property: null, comparison: 'lessThan', target: 9000 }] },
  send: { to: 'PING\r\n' },
  expectedAnswer: { to: 'none' },
  resolvers: { to: ['192.0.2.53'] },
  resolverMatch: { to: 'any' },
  protocol: { to: 'tls' },
  ipVersion: { to: '4' },
  connectTo: { to: '192.0.2.7:8443' },
  tlsVerify: { to: false },
  clientCertificate: { to: readCertificate('good') },
  authentication: { to: { method: 'bearer', token: 'one' } },
} satisfies Partial<Record<keyof MonitorConfig, Change>>;

/** Stands for a monitor that exists. */
const ANOTHER = 'mon_another';

/** And of every other field: how often, from where, and how the response is judged. */
const NOT_PROBED = {
  name: { to: 'Store' },
  description: { to: 'Ask Ann' },
  interval: { to: 300 },
  timeout: { to: 5 },
  regions: { to: ['us-east', 'eu-west'] },
  alertThreshold: { to: 1 },
  recoveryThreshold: { to: 2 },
  degradedThreshold: { to: 100 },
  confirmInterval: { to: 10 },
  tlsExpiryDays: { to: 14 },
  period: { to: 3600 },
  schedule: { to: { cron: '30 3 * * *', timeZone: 'UTC' } },
  grace: { to: 60 },
  dependsOn: { to: [ANOTHER] },
  members: { to: [ANOTHER] },
  memberRule: { to: 'any' },
  memberMinimum: { to: 2 },
  tags: { to: ['shop'] },
  ref: { to: 'shop-1' },
} satisfies Partial<Record<keyof MonitorConfig, Change>>;

/** The status of each operational monitor after one of its fields was changed, by field. */
const statuses = new Map<string, string>();

beforeAll(async () => {
  const changes: [string, Change][] = Object.entries({ ...PROBED, ...NOT_PROBED });
  const story = await beginStory(database.db);
  const another = await story.addMonitor({ ...HTTP, enabled: false });
  const ids = new Map<string, string>();
  for (const [field, { with: fields = {}, to }] of changes) {
    const { id, ...created } = await story.addMonitor({ ...HTTP, ...fields });
    expect(created).not.toMatchObject({ [field]: to });
    ids.set(field, id);
  }
  await story.check(OK, { afterMs: 0 });
  for (const [field, { to: named }] of changes) {
    const id = ids.get(field) ?? '';
    expect(await getMonitor(story.ctx, id)).toMatchObject({ status: 'operational' });
    const to = Array.isArray(named) && named[0] === ANOTHER ? [another.id] : named;
    const changed = await updateMonitor(story.ctx, id, updateMonitorSchema.parse({ [field]: to }));
    expect(changed).toMatchObject({ [field]: to });
    statuses.set(field, changed.status);
  }
});

it.each(Object.keys(PROBED))('a change of %s resets the monitor to pending', (field) => {
  expect(statuses.get(field)).toBe('pending');
});

it.each(Object.keys(NOT_PROBED))('a change of %s keeps the status', (field) => {
  expect(statuses.get(field)).toBe('operational');
});

it('every field of a monitor is in one of the tables, except the one that pauses it', () => {
  const listed = [...Object.keys(PROBED), ...Object.keys(NOT_PROBED), 'enabled'];
  expect(listed.toSorted()).toEqual(Object.keys(monitorFields).toSorted());
});

it('setting the same value is not a change', async () => {
  const story = await beginStory(database.db);
  const { id } = await story.addMonitor(HTTP);
  await story.check(OK, { afterMs: 0 });
  const same = updateMonitorSchema.parse({ ...HTTP, followRedirects: true, headers: {}, tlsVerify: true });
  expect(await updateMonitor(story.ctx, id, same)).toMatchObject({ status: 'operational' });
});
