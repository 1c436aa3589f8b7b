import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createApiClient } from './support/api-client';
import { expect, test } from './support/shared-service';

test('the audit log is read over the API with a write key, page by page and as CSV', async ({
  service,
  organization,
}) => {
  const { api, ctx } = organization;
  const fields = { name: '=Shop', url: 'http://127.0.0.1:9/', enabled: false };
  const headers = { Authorization: 'Bearer hunter2' };
  const shop = (await api('POST', '/monitors', { ...fields, headers })).body.id;
  await updateMonitor(ctx, shop, { name: '=Store', interval: 300, tags: ['eu', 'shop'] });
  await api('POST', '/incidents', { title: 'Something is wrong' });

  const first = await api('GET', '/audit?limit=2');
  expect(first.body.map(({ action }: { action: string }) => action)).toEqual([
    'incident.create',
    'monitor.update',
  ]);
  expect(first.body[1]).toMatchObject({
    actor: { kind: 'user', id: organization.owner.id, name: organization.owner.email },
    subject: { id: shop, name: '=Store' },
    before: { name: '=Shop', tags: [] },
    after: { name: '=Store', tags: ['eu', 'shop'] },
    address: null,
    requestId: null,
  });
  const next = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];
  const rest = (await api('GET', `/audit?limit=2&cursor=${next}`)).body;
  expect(rest).toHaveLength(1);
  expect(JSON.stringify(rest)).not.toContain('hunter2');
  expect((await api('GET', '/audit?actor=nobody')).status).toBe(400);

  const exportLog = (key: string | null) =>
    fetch(`${service.url}/api/audit/export?subject=${shop}`, {
      headers: key === null ? {} : { Authorization: `Bearer ${key}` },
    });
  const csv = await exportLog(organization.apiKey);
  expect(csv.headers.get('content-type')).toContain('text/csv');
  const lines = (await csv.text()).trimEnd().split('\r\n');
  expect(
    lines.map((line) => line.split(',')[6]),
    'no formulas',
  ).toEqual(['subject', "'=Store", "'=Shop"]);
  expect((await exportLog(null)).status).toBe(401);

  const reader = (await api('POST', '/api-keys', { name: 'Reader', scope: 'read' })).body.apiKey;
  expect((await createApiClient(service.url, reader)('GET', '/audit')).status).toBe(403);
  expect((await exportLog(reader)).status).toBe(403);
});
