import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import { CLOSED } from '@/app/api/testing/fixtures';
import type { Tenant } from '@/app/api/testing/tenants';
import { childEnvironment } from '@/lib/env';
import { startTarget } from '@/lib/testing/target';
import { callPharos } from '../../cli/testing/call-pharos';

const setting = borrowTenant();

const connection = ({ apiKey }: Tenant) => ({ PHAROS_URL: setting.service.url, PHAROS_API_KEY: apiKey });
const runFor = (tenant: Tenant, ...args: string[]) => callPharos(args, connection(tenant));

const SHOP = { name: 'Shop', url: CLOSED, ref: 'shop', enabled: false, tags: ['web'] };

describe('pharos monitors', () => {
  it('list shows monitors by name in aligned columns, those asked for only, or as JSON', async () => {
    const tenant = await setting.backdoor.addTenant();
    const name = 'A very long name \u001b[2J of a monitor';
    await tenant.api('POST', '/monitors', SHOP);
    const { body: long } = await tenant.api('POST', '/monitors', {
      ...SHOP,
      name: 'A very long name',
      ref: 'long',
      url: `${CLOSED}?key=hush`,
      tags: [],
    });
    // As stored by a version that accepted such names.
    await setting.backdoor.db.monitor.update({ where: { id: long.id }, data: { name } });
    const all = await runFor(tenant, 'monitors', 'list');
    const [heading = '', first = '', second = ''] = all.stdout.split('\n');
    expect(heading).toMatch(/^NAME +STATUS +TYPE +TARGET +ID$/);
    expect(first).toContain('A very long name �[2J');
    expect(second.indexOf('paused')).toBe(heading.indexOf('STATUS'));
    expect(all.stdout).not.toContain('hush');
    expect(all.stdout).not.toContain('\u001b');
    const tagged = await runFor(tenant, 'monitors', 'list', '--tag', 'web', '--json');
    expect(JSON.parse(tagged.stdout)).toMatchObject([{ name: 'Shop', ref: 'shop' }]);
    expect((await runFor(tenant, 'monitors', 'list', '--search', 'nothing')).stdout).toBe('No monitors.\n');
  });

  it('show, pause and resume take an ID or a ref', async () => {
    const tenant = await setting.backdoor.addTenant();
    const { id } = (await tenant.api('POST', '/monitors', SHOP)).body;
    const shown = await runFor(tenant, 'monitors', 'show', id);
    expect(shown.stdout).toMatch(/^Status +paused$/m);
    expect(shown.stdout, 'it was never checked').toMatch(/^Uptime +–$/m);
    expect((await runFor(tenant, 'monitors', 'resume', 'shop')).stdout).toBe('Shop: pending\n');
    const paused = await runFor(tenant, 'monitors', 'pause', id, '--json');
    expect(JSON.parse(paused.stdout)).toMatchObject([{ id, enabled: false }]);
  });

  it('check shows the result of each region, and exits with 1 unless all succeed', async () => {
    const tenant = await setting.backdoor.addTenant();
    const target = await startTarget();
    await tenant.api('POST', '/monitors', { ...SHOP, url: target.url, interval: 300, enabled: true });
    const good = await runFor(tenant, 'monitors', 'check', 'shop');
    expect([good.code, good.stdout]).toEqual([
      0,
      expect.stringMatching(/us-east +ok .* manual {2}status 200\n$/),
    ]);
    target.respondWith(503);
    const bad = await runFor(tenant, 'monitors', 'check', 'shop', '--json');
    await target.close();
    expect([bad.code, JSON.parse(bad.stdout)]).toMatchObject([
      1,
      { results: [{ statusCode: 503 }], missing: [] },
    ]);
  });

  it('report an error in one line, and exit with 1', async () => {
    const tenant = await setting.backdoor.addTenant();
    const unknown = await runFor(tenant, 'monitors', 'show', 'nothing');
    expect([unknown.code, unknown.stderr.trim().split('\n').length]).toEqual([1, 1]);
    const nowhere = await callPharos(['monitors', 'list'], {
      PHAROS_URL: 'http://127.0.0.1:9',
      PHAROS_API_KEY: 'k',
    });
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('check the address')]);
  });
});

describe('pharos incidents', () => {
  it('lists incidents, only open ones with --open, at most as many as asked for', async () => {
    const tenant = await setting.backdoor.addTenant();
    await tenant.api('POST', '/incidents', { title: 'Old trouble', status: 'resolved' });
    await tenant.api('POST', '/incidents', { title: 'New trouble' });
    const all = await runFor(tenant, 'incidents');
    expect(all.stdout).toMatch(/New trouble.*\n.*Old trouble/);
    const open = await runFor(tenant, 'incidents', '--open', '--json');
    expect(JSON.parse(open.stdout)).toMatchObject([{ title: 'New trouble' }]);
    const one = await runFor(tenant, 'incidents', '--limit', '1', '--json');
    expect(JSON.parse(one.stdout)).toHaveLength(1);
    expect((await runFor(tenant, 'incidents', '--limit', '0')).stderr).toContain('from 1 to 1000');
  });
});

describe('pharos mark', () => {
  it('marks a deploy, which pharos markers lists', async () => {
    const tenant = await setting.backdoor.addTenant();
    const { id } = (await tenant.api('POST', '/monitors', SHOP)).body;
    const at = new Date(Date.now() - 60_000).toISOString();
    const marked = await runFor(tenant, 'mark', 'Shop 2.14.0', '--tag', 'web', '--tag', 'api', '--at', at);
    expect(marked.stdout).toMatch(/^Marked mrk_\w+ at /);
    const link = 'https://ci.test/42';
    const json = await runFor(tenant, 'mark', 'Disks', '--monitor', id, '--link', link, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ title: 'Disks', url: link, monitors: [id] });
    const all = await runFor(tenant, 'markers');
    expect(all.stdout).toMatch(/Disks.*\n.*Shop 2\.14\.0 +web, api/);
    const one = await runFor(tenant, 'markers', '--monitor', id, '--limit', '1', '--json');
    expect(JSON.parse(one.stdout)).toMatchObject([{ title: 'Disks' }]);
  });
});

describe('pharos checks tail', () => {
  it('prints each new check as it comes, and ends on Ctrl+C', async () => {
    const tenant = await setting.backdoor.addTenant();
    const { id } = (await tenant.api('POST', '/monitors', SHOP)).body;
    const child = spawn(process.execPath, [join('bin', 'pharos.mjs'), 'checks', 'tail', 'shop', '--json'], {
      env: childEnvironment(connection(tenant)),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const line = once(lines, 'line');
    await tenant.api('PUT', `/monitors/${id}`, { enabled: true });
    expect(JSON.parse((await line)[0])).toMatchObject({ outcome: 'failed', checkedAt: expect.any(String) });
    child.kill('SIGINT');
    await once(child, 'exit');
    await tenant.api('PUT', `/monitors/${id}`, { enabled: false });
    const { code, stdout } = await runFor(tenant, 'checks', 'tail', 'shop', '--once');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d{4}-\S+Z {2}\S+ +failed/);
  });
});
