import { expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import { CLOSED } from '@/app/api/testing/fixtures';
import { planChanges } from '@/lib/as-code/plan';
import { readResourceFile } from '@/lib/as-code/read-file';
import { openApi } from '../remote/api';
import { applyPlan } from './apply-plan';
import { readStored } from './stored-resources';

const setting = borrowTenant();

it('apply leaves alone what somebody changed after the plan was made, and deletes nothing then', async () => {
  const tenant = await setting.backdoor.addTenant();
  const monitor = { url: CLOSED, enabled: false };
  const { id } = (await tenant.api('POST', '/monitors', { ...monitor, ref: 'shop', name: 'Shop' })).body;
  const old = (await tenant.api('POST', '/monitors', { ...monitor, name: 'Old' })).body;
  const api = openApi({ url: setting.service.url, key: tenant.apiKey });
  const text = `version: 1\nmonitors: [{ref: shop, name: Store, url: "${CLOSED}", enabled: false}]`;
  const stored = await readStored(api, ['monitors']);
  const { plan } = planChanges(readResourceFile(text).file, stored, () => undefined, true);
  await tenant.api('PUT', `/monitors/${id}`, { name: 'Renamed' });
  expect(await applyPlan(api, plan, stored, () => {})).toMatchObject([
    { key: 'shop', message: expect.stringMatching(/^Someone else has changed this/) },
    { key: old.id, message: 'Not deleted, because something else failed.' },
  ]);
  expect((await tenant.api('GET', '/monitors')).body).toMatchObject([{ id: old.id }, { name: 'Renamed' }]);
});

it('apply deletes nothing that somebody changed after the plan was made', async () => {
  const tenant = await setting.backdoor.addTenant();
  const { id } = (await tenant.api('POST', '/monitors', { name: 'Old', url: CLOSED, enabled: false })).body;
  const api = openApi({ url: setting.service.url, key: tenant.apiKey });
  const [monitor] = (await readStored(api, ['monitors'])).monitors;
  // As if the plan was made a minute ago, and the change is from now.
  const updatedAt = new Date(Date.parse(String(monitor?.updatedAt)) - 60_000).toISOString();
  const stored = { monitors: monitor ? [{ ...monitor, updatedAt }] : [] };
  const { plan } = planChanges(
    readResourceFile('version: 1\nmonitors: []').file,
    stored,
    () => undefined,
    true,
  );
  const [failure] = await applyPlan(api, plan, stored, () => {});
  expect(failure).toMatchObject({ key: id, section: 'monitor' });
  expect((await tenant.api('GET', `/monitors/${id}`)).status).toBe(200);
});

it('apply names everything that was not written because the service cannot be reached', async () => {
  const api = openApi({ url: CLOSED, key: 'ph_live_x' });
  const text = `version: 1
monitors: [{ref: shop, name: Shop, url: "${CLOSED}"}]
webhooks: [{ref: chat, url: "${CLOSED}"}]`;
  const { plan } = planChanges(readResourceFile(text).file, { monitors: [] }, () => undefined, false);
  expect(await applyPlan(api, plan, { monitors: [] }, () => {})).toMatchObject([
    { key: 'shop', message: expect.stringMatching(/^cannot reach /) },
    { key: 'chat', message: 'Not written, because of the failure above.' },
  ]);
});

it('apply creates monitors before those that depend on them, and deletes them after', async () => {
  const tenant = await setting.backdoor.addTenant();
  const api = openApi({ url: setting.service.url, key: tenant.apiKey });
  const monitor = (ref: string, dependsOn: string[]) =>
    `{ref: ${ref}, name: ${ref}, url: "${CLOSED}", enabled: false, dependsOn: [${dependsOn.join()}]}`;
  const apply = async (monitors: string[]) => {
    const stored = await readStored(api, ['monitors']);
    const { file } = readResourceFile(`version: 1\nmonitors: [${monitors.join()}]`);
    const { plan, problems } = planChanges(file, stored, () => undefined, true);
    expect(problems).toEqual([]);
    return { changes: plan.changes.length, failures: await applyPlan(api, plan, stored, () => {}) };
  };
  const all = [monitor('shop', ['gateway', 'core']), monitor('gateway', ['core']), monitor('core', [])];
  expect(await apply(all)).toEqual({ changes: 3, failures: [] });
  expect(await apply(all)).toEqual({ changes: 0, failures: [] });
  const found: { ref: string; id: string; dependsOn: string[] }[] = (await tenant.api('GET', '/monitors'))
    .body;
  const idOf = (ref: string) => found.find((each) => each.ref === ref)?.id;
  expect(found.find(({ ref }) => ref === 'shop')?.dependsOn).toEqual([idOf('gateway'), idOf('core')]);
  const group = (members: string[]) => `{ref: all, name: all, type: group, members: [${members.join()}]}`;
  expect(await apply([group(['shop', 'blog']), ...all, monitor('blog', [])])).toEqual({
    changes: 2,
    failures: [],
  });
  expect(await apply([group(['shop', 'blog']), ...all, monitor('blog', [])])).toEqual({
    changes: 0,
    failures: [],
  });
  expect(await apply([])).toEqual({ changes: 5, failures: [] });
});
