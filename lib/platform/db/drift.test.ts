import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTestDatabase, useTestDatabase } from '@/lib/testing/database';
import { diffSchema } from '@/lib/testing/schema-engine';

const schema = await readFile(
  fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url)),
  'utf8',
);

describe('the migrations and prisma/schema.prisma', () => {
  const migrated = useTestDatabase();

  it('match, as far as Prisma can express it', async () => {
    expect(await diffSchema(migrated.url, schema)).toEqual([]);
  });

  it.each([
    ['ALTER TABLE "monitor" ADD COLUMN "forgotten" TEXT', 'ALTER TABLE "monitor" DROP COLUMN "forgotten"'],
    [
      'ALTER TABLE "monitor" ALTER COLUMN "keyword" SET NOT NULL',
      'ALTER TABLE "monitor" ALTER COLUMN "keyword" DROP NOT NULL',
    ],
    ['DROP INDEX "delivery_event_id_idx"', 'CREATE INDEX "delivery_event_id_idx" ON "delivery"("event_id")'],
    ['CREATE TABLE "forgotten" ("id" TEXT)', 'DROP TABLE "forgotten"'],
    [`ALTER TYPE "plan" ADD VALUE 'forgotten'`, expect.stringContaining('CREATE TYPE "plan_new"')],
  ])('are seen to differ after %s', async (change, repair) => {
    const changed = await createTestDatabase();
    try {
      await changed.db.$executeRawUnsafe(change);
      expect(await diffSchema(changed.url, schema)).toContainEqual(repair);
    } finally {
      await changed.close();
    }
  });
});
