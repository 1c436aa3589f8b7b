import { describe, expect, it } from 'vitest';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { joinTransaction } from '@/lib/platform/db/client';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { listMonitorsQuery } from '@/lib/schemas/monitor/monitor-query';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { createMonitor } from './create-monitor';
import { getMonitor } from './find-monitor';
import { listMonitors } from './lists/list-monitors';
import { writeConfig } from './lists/serialize-in-parts';
import { createConfigCache, readConfigs } from './stored-configs';
import { copyMonitor } from './testing/history';
import { updateMonitor } from './update-monitor';

const database = useSharedDatabase();

async function begin() {
  const { ctx } = await createTestOrganization(createTestServices(database));
  const input = {
    name: 'Shop',
    url: 'http://shop.test/',
    headers: { Authorization: 'Bearer t0ken' },
    body: 'pa55',
  };
  const { id } = await createMonitor(ctx, createMonitorSchema.parse({ ...input, method: 'POST' }));
  const reader: OrganizationContext = { ...ctx, actor: { kind: 'key', keyId: 'key_1', scope: 'read' } };
  return { ctx, id, reader };
}

describe('the configuration of a listed monitor', () => {
  it('is read and decrypted once while its row does not change', async () => {
    const { ctx } = await begin();
    const counting = openCountingDatabase(database.url);
    try {
      const list = () => listMonitors({ ...ctx, db: counting.db });
      await list();
      expect(await counting.count(list)).toBeLessThanOrEqual(4);
      expect(counting.seen('headers_sealed')).toBe(0);
    } finally {
      await counting.db.$disconnect();
    }
  });

  it('is the current one after any change, also by another process', async () => {
    const { ctx, id } = await begin();
    await listMonitors(ctx);
    await updateMonitor(ctx, id, { name: 'Store' });
    expect((await getMonitor(ctx, id)).name).toBe('Store');
    await database.db.$executeRaw`UPDATE monitor SET tags = '{late}' WHERE id = ${id}`;
    expect((await getMonitor(ctx, id)).tags).toEqual(['late']);
  });

  it('is the current one also after several changes in one transaction', async () => {
    const { ctx, id } = await begin();
    await database.db.$transaction(async (tx) => {
      const inside = { ...ctx, db: joinTransaction(tx) };
      await updateMonitor(inside, id, { name: 'Store' });
      expect((await getMonitor(inside, id)).name).toBe('Store');
      await updateMonitor(inside, id, { name: 'Market' });
      expect((await getMonitor(inside, id)).name).toBe('Market');
    });
    expect((await getMonitor(ctx, id)).name).toBe('Market');
  });

  it('has no secrets for those who may only read, no matter who asked before', async () => {
    const { ctx, id, reader } = await begin();
    expect((await getMonitor(ctx, id)).body).toBe('pa55');
    expect(await getMonitor(reader, id)).toMatchObject({
      body: '[hidden]',
      headers: { Authorization: '[hidden]' },
    });
    expect((await getMonitor(ctx, id)).headers).toEqual({ Authorization: 'Bearer t0ken' });
  });

  it('is kept within a number of bytes: the least recently used are forgotten first', async () => {
    const { ctx, id } = await begin();
    const [config] = await readConfigs(ctx, [{ id, rowVersion: 'another' }]);
    if (!config) throw new Error('the configuration was not read');
    const cache = createConfigCache(100_000);
    for (let index = 0; index < 1000; index += 1) cache.set(`mon_${index}`, config);
    expect(cache.calculatedSize).toBeLessThanOrEqual(100_000);
    expect(cache.size).toBeGreaterThan(10);
    expect([cache.has('mon_999'), cache.has('mon_0')]).toEqual([true, false]);
    // With what is written of it.
    expect(Buffer.byteLength(writeConfig(config))).toBeLessThan(cache.calculatedSize / cache.size);
  });

  it('cannot be changed by those who got it', async () => {
    const { ctx, id } = await begin();
    const { tags } = await getMonitor(ctx, id);
    expect(() => tags.push('mine')).toThrow(TypeError);
  });
});

describe('a page of the list', () => {
  it('reads and decrypts the configurations that it returns, however many monitors there are', async () => {
    const { ctx, id } = await begin();
    const counting = openCountingDatabase(database.url);
    const readPage = async (sort: string) => {
      let opened = 0;
      const open: typeof ctx.keyring.open = (...sealed) => {
        opened += 1;
        return ctx.keyring.open(...sealed);
      };
      const cold = { ...ctx, db: counting.db, keyring: { ...ctx.keyring, open } };
      const read = () => listMonitors(cold, listMonitorsQuery.parse({ sort, limit: '5' }));
      let items: unknown[] = [];
      const statements = await counting.count(async () => {
        ({ items } = await read());
      });
      return { items: items.length, opened, statements };
    };
    try {
      for (const count of [20, 200]) {
        await sealCopies(ctx, id, count);
        for (const sort of ['-createdAt', 'name', 'status', 'statusChangedAt']) {
          const { statements, ...read } = await readPage(sort);
          // Headers and body of each.
          expect(read).toEqual({ items: 5, opened: 10 });
          expect(statements).toBeLessThanOrEqual(5);
        }
      }
    } finally {
      await counting.db.$disconnect();
    }
  });
});

/** Copies a monitor `count` times in place of earlier copies, each with secrets of its own. */
async function sealCopies({ db, keyring }: OrganizationContext, id: string, count: number): Promise<void> {
  await db.monitor.deleteMany({ where: { id: { startsWith: `${id}_` } } });
  const ids = await copyMonitor(db, id, count);
  const seal = (field: string, text: string) => ids.map((copy) => keyring.seal(text, `${copy}/${field}`));
  await db.$executeRaw`
    UPDATE monitor SET headers_sealed = own.headers, body_sealed = own.body
      FROM unnest(${ids}::text[], ${seal('headers', '{"Authorization":"Bearer t0ken"}')}::bytea[], ${seal('body', 'pa55')}::bytea[])
           AS own (id, headers, body)
     WHERE monitor.id = own.id`;
}
