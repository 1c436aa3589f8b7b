import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import type { Tenant } from '@/app/api/testing/tenants';
import { useFolder } from '@/e2e/support/use-folder';
import { createKumaDatabase } from '@/lib/importing/testing/create-kuma-database';
import { kumaTables, SECRET, SUPPORTED, UNSUPPORTED } from '@/lib/importing/testing/kuma-monitors';
import { callPharos } from '../../cli/testing/call-pharos';

const setting = borrowTenant();
const folder = useFolder();

const runFor = ({ apiKey }: Tenant, ...args: string[]) =>
  callPharos(args, {
    PHAROS_URL: setting.service.url,
    PHAROS_API_KEY: apiKey,
    XDG_CONFIG_HOME: folder.path('.'),
  });

const KINDS = [...SUPPORTED, ...UNSUPPORTED];
const IMPORTABLE = Array.from({ length: 200 }, (_, index) => KINDS[index % KINDS.length]).filter(
  (kind) => kind !== undefined && 'url' in kind,
).length;

describe('pharos import of a kuma.db with 200 monitors of all types', () => {
  it('creates every supported monitor and reports the rest; a second run repairs, a third changes nothing', async () => {
    const tenant = await setting.backdoor.addTenant();
    const file = await folder.save('kuma.db', await createKumaDatabase(kumaTables()));
    const first = await runFor(tenant, 'import', 'uptime-kuma', file, '--yes');
    expect([first.stderr, first.code]).toEqual(['', 0]);
    expect(first.stdout).toContain(`${IMPORTABLE} of 200 monitors can be imported`);
    expect(first.stdout).toContain(`${IMPORTABLE} created, 0 changed, 0 unchanged, 0 rejected.`);
    expect(first.stdout.match(/^- Monitor \d+ .*\n {4}\S.*/gm)).toHaveLength(200 - IMPORTABLE);
    expect(first.stdout).not.toContain(SECRET);

    const { body: monitors } = await tenant.api('GET', '/monitors?limit=2');
    await tenant.api('DELETE', `/monitors/${monitors[0].id}`);
    await tenant.api('PUT', `/monitors/${monitors[1].id}`, { name: 'Renamed' });
    const second = await runFor(tenant, 'import', 'uptime-kuma', file, '--yes', '--json');
    expect(second.code).toBe(0);
    expect(second.stdout).not.toContain(SECRET);
    expect(JSON.parse(second.stdout)).toMatchObject({ created: 1, changed: 1, failures: [] });
    const third = await runFor(tenant, 'import', 'uptime-kuma', file, '--yes', '--json');
    expect(JSON.parse(third.stdout)).toMatchObject({ created: 0, changed: 0, unchanged: IMPORTABLE });
  });
});

describe('pharos import of a second Uptime Kuma, whose IDs are those of the first', () => {
  const databaseOf = (name: string, host: string) =>
    createKumaDatabase({
      monitor: Array.from({ length: 20 }, (_, index) => ({
        name: `${name} ${index + 1}`,
        type: 'http',
        url: `https://${name.toLowerCase()}-${index + 1}.${host}/`,
        interval: 60,
        expiry_notification: 0,
      })),
    });

  it('changes nothing and exits with 2 until it gets a name; then both have their 20 monitors', async () => {
    const tenant = await setting.backdoor.addTenant();
    const first = await folder.save('k1.db', await databaseOf('Shop', 'example.com'));
    const second = await folder.save('k2.db', await databaseOf('Center', 'example.org'));
    expect((await runFor(tenant, 'import', 'uptime-kuma', first, '--yes')).code).toBe(0);
    const refused = await runFor(tenant, 'import', 'uptime-kuma', second, '--yes');
    expect(refused.code).toBe(2);
    expect(refused.stdout).toContain(
      '~ Center 1  http https://center-1.example.org/\n    Name: Shop 1 → Center 1\n    Target: https://shop-1.example.com/ → https://center-1.example.org/\n',
    );
    expect(refused.stderr).toContain('Shop 1 → Center 1\n');
    expect(refused.stderr).toContain('and 10 more\n');
    expect(refused.stderr).toMatch(/ import uptime-kuma \S*k2\.db --source NAME\n/);
    const named = await runFor(tenant, 'import', 'uptime-kuma', second, '--source', 'branch', '--yes');
    expect([named.stderr, named.code]).toEqual(['', 0]);
    expect(named.stdout).toContain('Source branch: 20 to create, 0 to change, 0 unchanged, 0 rejected.');
    expect((await tenant.api('GET', '/monitors')).body).toHaveLength(40);
    const again = await runFor(tenant, 'import', 'uptime-kuma', first, '--dry-run');
    expect(again.stdout).toContain('Source main: 0 to create, 0 to change, 20 unchanged, 0 rejected.');
    expect(again.stdout).toContain('= Shop 1  http https://shop-1.example.com/\n');
  });

  it('prints commands with the real name of the first source and the address that was given; the second one works', async () => {
    const { apiKey } = await setting.backdoor.addTenant();
    const run = (...args: string[]) =>
      callPharos([...args, '--url', setting.service.url], {
        PHAROS_API_KEY: apiKey,
        XDG_CONFIG_HOME: folder.path('.'),
      });
    const first = await folder.save('k1.db', await databaseOf('Shop', 'example.com'));
    const second = await folder.save('k2.db', await databaseOf('Center', 'example.org'));
    await run('import', 'uptime-kuma', first, '--source', 'office', '--yes');
    const refused = await run('import', 'uptime-kuma', second, '--yes');
    expect(refused.code).toBe(2);
    const words = /say so: +\S+ \S+ (import .*)\n/.exec(refused.stderr)?.[1] ?? '';
    expect(words).toBe(`import uptime-kuma ${second} --source office --url ${setting.service.url}`);
    expect(refused.stderr).not.toContain(apiKey);
    const confirmed = await run(...words.split(' ').slice(0, -2), '--yes');
    expect(confirmed.stdout).toContain('0 created, 20 changed, 0 unchanged, 0 rejected.');
  });
});

describe('pharos import', () => {
  it('without an address and key shows a plan that is marked as not compared', async () => {
    const file = await folder.save('alone.txt', 'https://shop.example.com/\n');
    const { code, stdout } = await callPharos(['import', 'csv', file, '--dry-run'], {
      XDG_CONFIG_HOME: folder.path('.'),
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\+ shop\.example\.com/);
    expect(stdout).toContain('Not compared with Pharos, because no address and key are set.');
    // A wrong address is no missing one.
    const wrong = { PHAROS_URL: 'nowhere', PHAROS_API_KEY: 'ph_live_x', XDG_CONFIG_HOME: folder.path('.') };
    const refused = await callPharos(['import', 'csv', file, '--dry-run'], wrong);
    expect([refused.code, refused.stderr]).toEqual([1, 'nowhere is not the address of a website\n']);
  });

  it('lists what it changes, and marks edits in Pharos that it overwrites', async () => {
    const tenant = await setting.backdoor.addTenant();
    const file = (interval: string) =>
      folder.save(
        'one.csv',
        `name,url,interval,headers\nShop,https://shop.example.com/,${interval},X-Token: hush`,
      );
    await runFor(tenant, 'import', 'csv', await file('1m'), '--yes');
    const { body: monitors } = await tenant.api('GET', '/monitors');
    await tenant.api('PUT', `/monitors/${monitors[0].id}`, { interval: 120, headers: {} });
    const { stdout } = await runFor(tenant, 'import', 'csv', await file('5m'), '--dry-run');
    expect(stdout).toContain(
      '~ Shop  http https://shop.example.com/\n    Interval: 120 → 300 (overwrites your change)\n    Headers: added (overwrites your change)\n',
    );
    expect(stdout).not.toContain('hush');
  });

  it('creates nothing with --dry-run, and nothing without --yes if nobody can be asked', async () => {
    const tenant = await setting.backdoor.addTenant();
    const file = await folder.save('list.txt', 'https://shop.example.com/\ndb.example.com:5432\n');
    const look = await runFor(tenant, 'import', 'csv', file, '--dry-run');
    expect(look.code).toBe(0);
    expect(look.stdout).toContain('2 of 2 monitors can be imported');
    const unasked = await runFor(tenant, 'import', 'csv', file);
    expect([unasked.code, unasked.stderr]).toEqual([1, 'add --yes to import, or --dry-run to only look\n']);
    expect((await tenant.api('GET', '/monitors')).body).toEqual([]);
  });

  it('checks each target once with --try, and lists those that fail', async () => {
    const tenant = await setting.backdoor.addTenant();
    const file = await folder.save('try.txt', `${setting.service.url}/api/live\n127.0.0.1:9\n`);
    const { code, stdout } = await runFor(tenant, 'import', 'csv', file, '--try', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('1 of 2 targets passed their first check.');
    expect(stdout).toMatch(/^failed {2}.*127\.0\.0\.1/m);
    expect((await tenant.api('GET', '/monitors')).body).toEqual([]);
  });

  it('creates the others if some are rejected, prints the reasons, and exits with 1', async () => {
    const tenant = await setting.backdoor.addTenant('free');
    const lines = Array.from({ length: 150 }, (_, index) => `shop-${index}.example.com:443`);
    const file = await folder.save('many.txt', lines.join('\n'));
    const { code, stdout } = await runFor(tenant, 'import', 'csv', file, '--yes', '--json');
    expect(code).toBe(1);
    const { created, failures } = JSON.parse(stdout);
    const { headers } = await tenant.api('GET', '/monitors?limit=1');
    expect(Number(headers.get('x-total-count'))).toBe(created);
    expect(created).toBeGreaterThan(0);
    expect(created + failures.length).toBe(150);
    expect(failures[0]).toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED', ref: expect.any(String) });
  });

  it.each([
    ['the name of a missing file', async () => folder.path('nowhere.db'), /^cannot read .*nowhere\.db/],
    ['a folder', async () => folder.path('.'), /is a folder; name a file/],
    ['a file of another format', () => folder.save('other.db', 'neither SQLite nor JSON'), /\S+/],
  ])('explains in one line that it got %s', async (_, file, message) => {
    const tenant = await setting.backdoor.addTenant();
    const { code, stdout, stderr } = await runFor(tenant, 'import', 'uptime-kuma', await file(), '--yes');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr, 'no stack').not.toContain('    at ');
  });
});

describe('pharos import of a split configuration of Gatus', () => {
  const endpoint = (name: string, url = `https://${name}.example.com/`) =>
    `endpoints:\n  - name: ${name}\n    url: ${url}\n    conditions: ["[STATUS] == 200"]\n`;

  it('reads files, folders and the values of placeholders', async () => {
    const tenant = await setting.backdoor.addTenant();
    for (const name of ['gatus/teams', 'gatus/..2026']) await mkdir(folder.path(name), { recursive: true });
    const first = await folder.save('gatus/config.yaml', endpoint('one'));
    await folder.save('gatus/teams/two.yml', endpoint('two', `https://\${NAME_OF_IT}/`));
    await folder.save('gatus/..2026/three.yaml', endpoint('three'));
    await folder.save('gatus/notes.txt', 'not: [YAML');
    const other = await folder.save('other.yaml', endpoint('four'));
    const env = await folder.save('gatus.env', 'NAME_OF_IT="two.example.com"\n');
    const files = [folder.path('gatus'), first, other];
    const { code, stdout } = await runFor(
      tenant,
      'import',
      'gatus',
      ...files,
      '--variables',
      env,
      '--dry-run',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('3 of 3 monitors can be imported');
    const wrong = await runFor(tenant, 'import', 'csv', first, '--variables', env, '--dry-run');
    expect([wrong.code, wrong.stderr]).toEqual([1, '--variables is for gatus\n']);
    const missing = await runFor(tenant, 'import', 'gatus', first, '--variables', 'nope.env', '--dry-run');
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/^cannot read .*nope\.env/)]);
    const several = await runFor(tenant, 'import', 'csv', first, other, '--dry-run');
    expect(several.stderr).toContain('There are several files.');
  });
});

describe('pharos login', () => {
  it('saves the address and key for later commands, until pharos logout', async () => {
    const { apiKey } = await setting.backdoor.addTenant();
    const home = folder.path(`home-${Date.now()}`);
    const file = await folder.save('one.txt', 'https://shop.example.com/\n');
    const run = (...args: string[]) => callPharos(args, { XDG_CONFIG_HOME: home });
    expect((await run('login', '--url', setting.service.url, '--key', apiKey)).code).toBe(0);
    const saved = await run('import', 'csv', file, '--yes');
    expect(saved.stdout).toContain('1 created');
    expect((await run('logout')).code).toBe(0);
    const after = await run('import', 'csv', file, '--yes');
    expect([after.code, after.stderr]).toEqual([1, expect.stringContaining('pharos.mjs login')]);
  });

  it('does not save a key that is wrong', async () => {
    const home = folder.path(`home-${Date.now()}`);
    const wrong = await callPharos(['login', '--url', setting.service.url, '--key', 'ph_live_wrong'], {
      XDG_CONFIG_HOME: home,
    });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).not.toContain('    at ');
    const after = await callPharos(
      ['import', 'csv', await folder.save('two.txt', 'a.example.com:1\n'), '--yes'],
      {
        XDG_CONFIG_HOME: home,
      },
    );
    expect(after.stderr).toContain('pharos.mjs login');
  });
});
