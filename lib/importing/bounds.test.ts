import { describe, expect, it } from 'vitest';
import { IMPORT_SOURCES, MAX_DATABASE_BYTES, MAX_ITEMS, MAX_TEXT_BYTES, readImport } from '.';
import { createKumaDatabase } from './testing/create-kuma-database';
import { importText, onlyItem } from './testing/import-text';

// The most that is taken, and what it may cost: bounds.thorough.test.ts.

const many = <Item>(item: Item, count = MAX_ITEMS + 1): Item[] => Array.from({ length: count }, () => item);

describe('an import', () => {
  it.each(IMPORT_SOURCES)('from %s takes a text of at most 5 MiB', async (source) => {
    await expect(readImport(source, new Uint8Array(MAX_TEXT_BYTES + 1).fill(32))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The file is larger than 5 MiB, the most that can be imported.',
    });
    const largest = await readImport(source, new Uint8Array(MAX_TEXT_BYTES).fill(32)).catch(
      (error) => error.code,
    );
    expect(largest).toBe('VALIDATION_ERROR');
  });

  it('takes a database of at most 64 MiB', async () => {
    const database = await createKumaDatabase({
      monitor: [{ name: 'Shop', type: 'ping', hostname: 'a.example.com' }],
    });
    const file = new Uint8Array(MAX_DATABASE_BYTES + 1);
    file.set(database);
    await expect(readImport('uptime-kuma', file)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The file is larger than 64 MiB, the most that can be imported.',
    });
    const { items } = await readImport('uptime-kuma', file.subarray(0, MAX_DATABASE_BYTES));
    expect(items).toHaveLength(1);
  });

  it.each([
    ['uptimerobot', { stat: 'ok', monitors: many({ id: 1 }) }],
    ['uptimerobot', ['Friendly Name,URL/IP', ...many('Shop,https://a.example.com/')].join('\n')],
    ['better-stack', { data: many({ id: 1, type: 'monitor' }) }],
    ['gatus', { endpoints: many({}) }],
    ['openstatus', many({ url: 'a', periodicity: '1m' })],
    ['upptime', { sites: many({}) }],
    ['healthchecks', { checks: many({}) }],
    ['prometheus', [{ targets: many('a.example.com') }]],
    ['csv', many('a.example.com').join('\n')],
    ['csv', ['name,url', ...many('Shop,https://a.example.com/')].join('\n')],
    ['uptime-kuma', { monitorList: many({ id: 1 }) }],
  ] as const)('from %s takes at most 10,000 monitors', async (source, content) => {
    await expect(importText(source, content)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'The file has more than 10,000 monitors. Split it and import the parts.',
    });
  });

  it('does not expand a YAML of a few lines to billions of values', async () => {
    const levels = Array.from({ length: 30 }, (_, n) => `l${n + 1}: &l${n + 1} [*l${n}, *l${n}]`);
    const text = ['l0: &l0 [a, b]', ...levels, 'endpoints: *l30'].join('\n');
    await expect(importText('gatus', text)).rejects.toThrow(/not valid YAML, or too large/);
    const merges = Array.from(
      { length: 30 },
      (_, n) => `l${n + 1}: &l${n + 1} {a: {<<: *l${n}}, b: {<<: *l${n}}}`,
    );
    await expect(importText('gatus', ['l0: &l0 {a: 1}', ...merges].join('\n'))).rejects.toThrow(/too large/);
    await expect(importText('gatus', 'a: &a [*a]\nendpoints: [*a]')).rejects.toThrow(/too large/);
    await expect(importText('gatus', 'a: &a [1]\nb: &a [*a, *a]\nendpoints: [*a]')).rejects.toThrow(
      /too large/,
    );
  });

  it('says at most 50 changes of a monitor', async () => {
    const headers = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`Proxy-${n}`, 'a']));
    const content = { endpoints: [{ name: 'a', url: 'https://a.example.com/', headers }] };
    const { changes } = onlyItem(await importText('gatus', content));
    expect(changes).toHaveLength(51);
    expect(changes.at(-1)).toBe('There are more changes.');
  });

  it('rejects a key that repeats', async () => {
    const text = 'endpoints: [{name: a, url: "https://a.example.com/", name: b}]';
    await expect(importText('gatus', text)).rejects.toThrow(/not valid YAML/);
  });

  it('does not search a condition of a megabyte', async () => {
    const conditions = [`a${' '.repeat(1_000_000)}b`];
    const content = { endpoints: [{ name: 'a', url: 'https://a.example.com/', conditions }] };
    const { changes } = onlyItem(await importText('gatus', content));
    expect(changes).toContain('1 condition of an unknown form is not imported.');
  });

  it('does not nest without end', async () => {
    for (const content of [
      `{"endpoints": ${'['.repeat(20_000)}`,
      `${'- '.repeat(20_000)}a`,
      '['.repeat(20_000),
    ]) {
      await expect(importText('gatus', content)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(importText('uptime-kuma', content)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });
});

describe('a database', () => {
  /** The bytes of a database that a script creates. */
  async function create(script: string): Promise<Uint8Array> {
    const { default: load } = await import('sql.js/dist/sql-wasm-inline.js');
    const database = new (await load()).Database();
    database.run(script);
    return database.export();
  }

  it('runs none of its views, virtual tables and generated columns', async () => {
    const endless =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS name FROM n';
    const file = await create(`
      CREATE VIEW monitor AS ${endless};
      CREATE VIEW status_page AS ${endless};
      CREATE VIRTUAL TABLE tag USING fts3(name);
      CREATE TABLE setting (key TEXT, value TEXT AS (printf('%900000000d', 1)));
      CREATE TABLE heartbeat (id INTEGER);
      INSERT INTO heartbeat VALUES (1);
    `);
    expect(await readImport('uptime-kuma', file)).toEqual({ source: 'uptime-kuma', items: [], notes: [] });
  });

  it('of something else is rejected', async () => {
    await expect(
      readImport('uptime-kuma', await create('CREATE TABLE a (b); INSERT INTO a VALUES (1)')),
    ).rejects.toThrow(/has no monitors of Uptime Kuma\. Choose kuma\.db/);
  });

  it('that is cut off is rejected', async () => {
    const file = await createKumaDatabase({ monitor: many({ name: 'Shop', type: 'http' }, 500) });
    await expect(readImport('uptime-kuma', file.slice(0, file.length / 2))).rejects.toThrow(
      /damaged or incomplete/,
    );
  });
});
