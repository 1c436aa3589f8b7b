import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyring } from '@/lib/core/keyring';
import { IMPORT_SOURCES, type ImportPlan, type MonitorBody } from '@/lib/importing';
import { ARBITRARY_EXPORTS } from '@/lib/importing/testing/arbitrary-exports';
import { importText } from '@/lib/importing/testing/import-text';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { FIELD_NAMES, pickFields } from '@/lib/schemas/monitor/fields';
import { importMonitorsSchema } from '@/lib/schemas/monitor/import';
import { parseInput } from '@/lib/schemas/validation';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { createMonitor } from '../create-monitor';
import { getMonitorByRef } from '../find-monitor';
import { updateMonitor } from '../update-monitor';
import { importMonitors } from './import-monitors';
import { createSource } from './import-sources';

const database = useSharedDatabase();
const services = () => createTestServices({ db: database.db });
const begin = async () => (await createTestOrganization(services(), { plan: 'enterprise' })).ctx;
type Context = Awaited<ReturnType<typeof begin>>;

const bodiesOf = ({ items }: ImportPlan) => items.flatMap(({ monitor }) => monitor ?? []);
const run = (
  ctx: Context,
  { source: format }: ImportPlan,
  monitors: readonly MonitorBody[],
  options: object = {},
) => importMonitors(ctx, parseInput(importMonitorsSchema, { format, monitors, ...options }));
const importAll = (ctx: Context, plan: ImportPlan, options?: object) =>
  run(ctx, plan, bodiesOf(plan), options);
const importCsv = async (ctx: Context, text: string, options?: object) =>
  importAll(ctx, await importText('csv', text), options);
const configOf = async (ctx: Context, ref: string) =>
  pickFields(await getMonitorByRef(ctx, ref), FIELD_NAMES);

/** What became of each monitor, in short. */
const shortly = ({ outcomes }: Awaited<ReturnType<typeof importMonitors>>) =>
  outcomes.map((outcome) => {
    if ('error' in outcome) return outcome.error.code;
    const changes = outcome.changes.map(
      ({ field, overwritesChange }) => `${field}${overwritesChange ? '!' : ''}`,
    );
    return [outcome.action, ...changes].join(' ');
  });

describe('two exports, imported in turn, equal the second imported alone', () => {
  it.each(IMPORT_SOURCES)('of %s', async (source) => {
    const both = fc.tuple(ARBITRARY_EXPORTS[source], ARBITRARY_EXPORTS[source]);
    await fc.assert(
      fc.asyncProperty(both, async ([readFirst, readSecond]) => {
        const [first, second] = [await readFirst(), await readSecond()];
        // A file without anything to import is no export.
        fc.pre([first, second].every((plan) => bodiesOf(plan).length > 0));
        const [updated, alone] = [await begin(), await begin()];
        await importAll(updated, first);
        const { outcomes } = await importAll(updated, second);
        expect(outcomes.filter((outcome) => 'error' in outcome)).toEqual([]);
        await importAll(alone, second);
        for (const body of bodiesOf(second)) {
          // What the file leaves out because it is secret stays.
          const hidden = FIELD_NAMES.filter(
            (name) => !(name in body) || JSON.stringify(body[name]).includes('[hidden]'),
          );
          const [here, there] = [await configOf(updated, body.ref), await configOf(alone, body.ref)];
          for (const name of hidden) Object.assign(here, { [name]: there[name] });
          expect(here).toEqual(there);
        }
        // And again, nothing changes.
        expect(new Set(shortly(await importAll(updated, second)))).toEqual(new Set(['none']));
      }),
      { numRuns: 10 },
    );
  });
});

describe('a newer export', () => {
  const FULL =
    'name,url,method,headers,body,keyword\nShop,https://shop.example.com/,POST,Authorization: Basic hush,{},welcome';

  it('removes what was removed there, and says so without the secrets', async () => {
    const ctx = await begin();
    await importCsv(ctx, FULL);
    const { outcomes } = await importCsv(
      ctx,
      'name,url,method,headers,body,keyword\nShop,https://shop.example.com/,,,,',
      { dryRun: true },
    );
    expect(outcomes).toMatchObject([
      {
        status: 200,
        action: 'change',
        monitor: null,
        changes: [
          { field: 'method', before: 'POST', after: 'GET', overwritesChange: false },
          { field: 'headers', before: '[hidden]', after: null },
          { field: 'body', before: '[hidden]', after: null },
          { field: 'keyword', before: 'welcome', after: null },
        ],
      },
    ]);
  });

  it('keeps what people added beyond the format, and secrets that the file has no column for, and names these', async () => {
    const ctx = await begin();
    const gateway = await createMonitor(
      ctx,
      parseInput(createMonitorSchema, { name: 'Gateway', url: 'http://gateway.test/' }),
    );
    const { outcomes } = await importCsv(ctx, FULL);
    const [first] = outcomes;
    if (first === undefined || 'error' in first || first.monitor === null) throw new Error('not imported');
    await updateMonitor(ctx, first.monitor.id, { dependsOn: [gateway.id], description: 'Ask Ann' });
    const newer = await importCsv(ctx, 'name,url,keyword\nShop,https://shop.example.com/,healthy');
    expect(newer.outcomes).toMatchObject([{ action: 'change', kept: ['headers', 'body'] }]);
    expect(await configOf(ctx, first.ref)).toMatchObject({
      dependsOn: [gateway.id],
      description: 'Ask Ann',
      keyword: 'healthy',
      method: 'POST',
      headers: { Authorization: 'Basic hush' },
    });
  });

  it('does not send a kept secret to another host', async () => {
    const ctx = await begin();
    await importCsv(ctx, FULL);
    const { outcomes } = await importCsv(ctx, 'name,url\nShop,https://shop.example.org/');
    expect(outcomes).toMatchObject([
      { kept: [], dropped: ['headers', 'body'], monitor: { headers: {}, body: null } },
    ]);
  });

  it('keeps a header that the file hides, if one is stored', async () => {
    const ctx = await begin();
    const hidden = 'name,url,headers\nShop,https://shop.example.com/,Authorization: ***';
    expect((await importCsv(ctx, hidden)).outcomes).toMatchObject([
      { action: 'create', monitor: { headers: {} } },
    ]);
    await importCsv(ctx, FULL);
    expect((await importCsv(ctx, hidden)).outcomes).toMatchObject([
      { kept: ['headers.Authorization', 'body'], monitor: { headers: { Authorization: 'Basic hush' } } },
    ]);
  });

  it('marks edits in Pharos that it overwrites', async () => {
    const ctx = await begin();
    const at = (interval: number) =>
      `name,url,interval,keyword\nShop,https://shop.example.com/,${interval},welcome`;
    const { outcomes } = await importCsv(ctx, at(60));
    const [first] = outcomes;
    if (first === undefined || 'error' in first || first.monitor === null) throw new Error('not imported');
    await updateMonitor(ctx, first.monitor.id, { interval: 300, keyword: 'healthy' });
    expect(shortly(await importCsv(ctx, at(30), { dryRun: true }))).toEqual(['change interval! keyword!']);
    // The same change in both places is no conflict.
    expect(shortly(await importCsv(ctx, at(300).replace('welcome', 'healthy')))).toEqual(['none']);
    expect(shortly(await importCsv(ctx, at(60), { dryRun: true }))).toEqual(['change interval keyword']);
  });
});

describe('monitors with the same name, in a file without IDs', () => {
  const csv = (...hosts: string[]) =>
    `name,url\n${hosts.map((host) => `API,https://${host}.example.com/`).join('\n')}`;
  const monitorsOf = async (ctx: Context) => {
    const where = { organizationId: ctx.organizationId };
    const monitors = await ctx.db.monitor.findMany({ where, select: { id: true, url: true } });
    return Object.fromEntries(monitors.map(({ id, url }) => [/\/\/(\w+)/.exec(url)?.[1] ?? '', id]));
  };

  it('keep their history if one is removed, added or moved within the file', async () => {
    const ctx = await begin();
    await importCsv(ctx, csv('eu', 'us'));
    const first = await monitorsOf(ctx);
    expect(shortly(await importCsv(ctx, csv('us')))).toEqual(['none']);
    expect(shortly(await importCsv(ctx, csv('us', 'eu')))).toEqual(['none', 'none']);
    expect(shortly(await importCsv(ctx, csv('asia', 'us', 'eu')))).toEqual(['create', 'none', 'none']);
    const second = await monitorsOf(ctx);
    expect(second).toEqual({ ...first, asia: expect.any(String) });
    expect(shortly(await importCsv(ctx, csv('us', 'asia', 'eu')))).toEqual(['none', 'none', 'none']);
    expect(await monitorsOf(ctx)).toEqual(second);
  });

  it('can still get another target at their place', async () => {
    const ctx = await begin();
    await importCsv(ctx, csv('eu', 'us'));
    const { eu, us } = await monitorsOf(ctx);
    expect(shortly(await importCsv(ctx, csv('eu', 'west')))).toEqual(['none', 'change url']);
    expect(await monitorsOf(ctx)).toEqual({ eu, west: us });
  });

  it('are distinguished in each source, and by their IDs where the file has some', async () => {
    const ctx = await begin();
    await importCsv(ctx, csv('eu', 'us'));
    await importCsv(ctx, csv('eu', 'us'), { source: 'branch' });
    expect(shortly(await importCsv(ctx, csv('us'), { source: 'branch' }))).toEqual(['none']);
    const other = await begin();
    const rows = (first: string, second: string) =>
      `id,name,url\n1,API,https://${first}.example.com/\n2,API,https://${second}.example.com/`;
    await importCsv(other, rows('eu', 'us'));
    expect(shortly(await importCsv(other, rows('us', 'eu')))).toEqual(['change url', 'change url']);
  });
});

describe('edits in Pharos', () => {
  const at = (interval: number) =>
    `name,url,interval,headers\nShop,https://shop.example.com/,${interval},X-Token: hush`;

  it.each([
    ['hides the secret', 'name,url,headers\nShop,https://shop.example.com/,X-Token: ***'],
    ['has no column for it', 'name,url\nShop,https://shop.example.com/'],
  ])('are recognized also after imports that kept them, because the file %s', async (_, without) => {
    const ctx = await begin();
    const { outcomes } = await importCsv(ctx, without);
    const [first] = outcomes;
    if (first === undefined || 'error' in first || first.monitor === null) throw new Error('not imported');
    await updateMonitor(ctx, first.monitor.id, { headers: { 'X-Token': 'own' } });
    for (let run = 0; run < 2; run++)
      expect(await importCsv(ctx, without)).toMatchObject({ outcomes: [{ action: 'none' }] });
    expect(shortly(await importCsv(ctx, at(60), { dryRun: true }))).toEqual(['change headers!']);
    // Once it is overwritten, it is no edit.
    await importCsv(ctx, at(60));
    expect(shortly(await importCsv(ctx, without.replace(': ***', ': other')))).not.toContain(
      'change headers!',
    );
  });

  it('are recognized also after SECRET_KEY changed', async () => {
    const ctx = await begin();
    await importCsv(ctx, at(60));
    const rotated = { ...ctx, keyring: createKeyring('another secret key '.repeat(4), [TEST_SECRET_KEY]) };
    expect(shortly(await importCsv(rotated, at(300), { dryRun: true }))).toEqual(['change interval']);
  });
});

describe('a second source of the same format', () => {
  const list = (names: readonly string[], host: string) =>
    importText('uptime-kuma', {
      monitorList: Object.fromEntries(
        names.map((name, index) => [
          String(index + 1),
          {
            id: index + 1,
            name,
            type: 'http',
            url: `https://${name.toLowerCase()}.${host}/`,
            accepted_statuscodes: ['200'],
          },
        ]),
      ),
    });
  const renameOnly = async (name: string) => {
    const plan = await list(['Shop'], 'example.com');
    const renamed = plan.items.map((item) => ({
      ...item,
      monitor: item.monitor && { ...item.monitor, name },
    }));
    return { ...plan, items: renamed };
  };
  const names = (prefix: string) => Array.from({ length: 20 }, (_, index) => `${prefix}${index}`);

  it('is rejected without a name, and has monitors of its own with one: 20 and 20 with the same IDs are 40', async () => {
    const ctx = await begin();
    const [first, second] = [
      await list(names('Shop'), 'example.com'),
      await list(names('Center'), 'example.org'),
    ];
    expect((await importAll(ctx, first)).source).toEqual({ name: 'main', isNew: true });
    const planned = await importAll(ctx, second, { dryRun: true });
    expect(planned.outcomes.every((outcome) => 'replaces' in outcome && outcome.replaces)).toBe(true);
    expect(new Set(shortly(await importAll(ctx, second)))).toEqual(new Set(['REF_TAKEN']));
    const named = await importAll(ctx, second, { source: 'branch' });
    expect(named.source).toEqual({ name: 'branch', isNew: true });
    expect(new Set(shortly(named))).toEqual(new Set(['create']));
    expect(await ctx.db.monitor.count({ where: { organizationId: ctx.organizationId } })).toBe(40);
    // Each finds its own again.
    expect(new Set(shortly(await importAll(ctx, first)))).toEqual(new Set(['none']));
    expect(new Set(shortly(await importAll(ctx, second, { source: 'branch' })))).toEqual(new Set(['none']));
    expect(await configOf(ctx, 'branch/uptime-kuma-7')).toMatchObject({ name: 'Center6' });
  });

  it('can change both name and target of a monitor where the source is named', async () => {
    const ctx = await begin();
    await importAll(ctx, await list(['Shop'], 'example.com'));
    const renamed = await list(['Store'], 'example.org');
    expect(shortly(await importAll(ctx, renamed, { source: 'main' }))).toEqual(['change name url']);
  });

  it('of monitors that an earlier version imported, these are the first source', async () => {
    const ctx = await begin();
    const plan = await list(['Shop'], 'example.com');
    for (const body of bodiesOf(plan)) {
      await createMonitor(ctx, parseInput(createMonitorSchema, body));
    }
    expect(shortly(await importAll(ctx, plan))).toEqual(['none']);
    const branch = await importAll(ctx, await list(['Store'], 'example.org'), { source: 'branch' });
    expect(branch.outcomes).toMatchObject([{ action: 'create', ref: 'branch/uptime-kuma-1' }]);
  });

  it('is not the first if both begin at the same time', async () => {
    const ctx = await begin();
    const plans = [await list(['Shop'], 'example.com'), await list(['Center'], 'example.org')] as const;
    const outcomes = await Promise.allSettled(
      plans.map((plan, index) => importAll(ctx, plan, { source: `office-${index}` })),
    );
    const where = { organizationId: ctx.organizationId };
    expect(await ctx.db.importSource.count({ where: { ...where, isFirst: true } })).toBe(1);
    // The other one begins again, or already knew the first.
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' });
    await importAll(ctx, plans[1], { source: 'office-1' });
    await importAll(ctx, plans[0], { source: 'office-0' });
    expect(await ctx.db.monitor.count({ where })).toBe(2);
  });

  it('of a name that another import took for a further source meanwhile begins again', async () => {
    const ctx = await begin();
    await importAll(ctx, await list(['Shop'], 'example.com'));
    await importAll(ctx, await list(['Center'], 'example.org'), { source: 'branch' });
    const planned = { id: null, name: 'branch', isFirst: true };
    const created = ctx.db.$transaction((tx) => createSource(tx, ctx, 'uptime-kuma', planned));
    await expect(created).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('that has the heartbeats of another is rejected without a name: their name alone tells them apart', async () => {
    const ctx = await begin();
    const jobs = (name: string) =>
      importText('uptime-kuma', { monitorList: [{ id: 1, name, type: 'push', interval: 3600 }] });
    await importAll(ctx, await jobs('Backup'));
    const second = await jobs('Invoices');
    const planned = await importAll(ctx, second, { dryRun: true });
    expect(planned.outcomes).toMatchObject([{ action: 'change', replaces: true }]);
    expect(shortly(await importAll(ctx, second))).toEqual(['REF_TAKEN']);
    expect(shortly(await importAll(ctx, second, { source: 'main' }))).toEqual(['change name']);
  });

  it('is not needed for a new name, or a new target, of a monitor with a target', async () => {
    const ctx = await begin();
    await importAll(ctx, await list(['Shop'], 'example.com'));
    const [renamed, moved] = [
      await importAll(ctx, await renameOnly('Store')),
      await list(['Shop'], 'example.org'),
    ];
    expect(shortly(renamed)).toEqual(['change name']);
    await importAll(ctx, await list(['Shop'], 'example.com'));
    expect(shortly(await importAll(ctx, moved))).toEqual(['change url']);
  });

  it('main is the first source, also if that has another name, in a dry run and in an import', async () => {
    const ctx = await begin();
    await importAll(ctx, await list(['Shop'], 'example.com'), { source: 'office' });
    const renamed = await list(['Store'], 'example.org');
    for (const dryRun of [true, false]) {
      const report = await importAll(ctx, renamed, { source: 'main', dryRun });
      expect(report.source).toEqual({ name: 'office', isNew: false });
      expect(shortly(report)).toEqual(['change name url']);
    }
  });

  it('named at the first import has the refs of its file', async () => {
    const ctx = await begin();
    const { source, outcomes } = await importAll(ctx, await list(['Shop'], 'example.com'), {
      source: 'office',
    });
    expect([source, outcomes]).toMatchObject([{ name: 'office', isNew: true }, [{ ref: 'uptime-kuma-1' }]]);
  });
});
