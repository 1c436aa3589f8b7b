import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { createWorld } from '@/lib/domain/context/testing/world';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { exportSubscribers } from './read-subscribers';

const database = useSharedDatabase();
let own: TestOrganization;
let slug: string;

beforeAll(async () => {
  own = await createTestOrganization(createTestServices({ db: database.db }));
  const { slug: named, id } = await createWorld(own.ctx).subscriber();
  slug = named;
  const first = await database.db.pageSubscriber.findUniqueOrThrow({ where: { id } });
  await database.db.pageSubscriber.update({
    where: { id },
    data: { email: '=cmd@example.com', confirmedAt: new Date('2026-03-10T18:00:00Z') },
  });
  const { number: _, ...fields } = first;
  for (const name of ['ada', 'bob']) {
    const at = new Date(first.createdAt.getTime() + 1000);
    await database.db.pageSubscriber.create({
      data: {
        ...fields,
        id: `sub_${name}`,
        email: `${name}@example.com`,
        tokenHash: randomBytes(32),
        createdAt: at,
        ...(name === 'ada' ? { choseRows: true, rowIds: ['mon_1', 'cmp_2'] } : {}),
      },
    });
  }
});

async function lines(query: Parameters<typeof exportSubscribers>[2], pageSize = 2) {
  const parts = await exportSubscribers(own.ctx, slug, query, { pageSize });
  return (await Readable.from(parts).toArray()).join('').trimEnd().split('\r\n');
}

describe('an export of subscribers', () => {
  it('has all of them in parts, newest first, and no formula', async () => {
    const [columns, ...rows] = await lines({});
    expect(columns).toBe('email,language,confirmedAt,createdAt,id,rows,channel,host');
    expect(rows.map((row) => row.split(',')[0])).toEqual([
      'bob@example.com',
      'ada@example.com',
      "'=cmd@example.com",
    ]);
    expect(rows.map((row) => row.split(',').slice(-3))).toEqual([
      ['', 'email', ''],
      ['mon_1 cmp_2', 'email', ''],
      ['', 'email', ''],
    ]);
    expect(rows[2]).toContain(',2026-03-10T18:00:00.000Z,');
  });

  it('can be only of those who confirmed', async () => {
    expect(await lines({ status: 'confirmed' })).toHaveLength(2);
    expect(await lines({ status: 'pending' })).toHaveLength(3);
  });

  it('is none of another organization', async () => {
    const other = await createTestOrganization(createTestServices({ db: database.db }));
    await expect(exportSubscribers(other.ctx, slug, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
