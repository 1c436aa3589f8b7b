import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, useTestDatabase } from '@/lib/testing/database';
import { diffSchema } from '@/lib/testing/schema-engine';

const schema = await readFile(
  fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url)),
  'utf8',
);

/** Changes of a database that schema.prisma lacks, each with what Prisma would do about it. */
const CHANGES = [
  ['ALTER TABLE "monitor" ADD COLUMN "forgotten" TEXT', 'ALTER TABLE "monitor" DROP COLUMN "forgotten"'],
  [
    'ALTER TABLE "worker" ALTER COLUMN "machine" SET NOT NULL',
    'ALTER TABLE "worker" ALTER COLUMN "machine" DROP NOT NULL',
  ],
  ['DROP INDEX "delivery_event_id_idx"', 'CREATE INDEX "delivery_event_id_idx" ON "delivery"("event_id")'],
  ['CREATE TABLE "forgotten" ("id" TEXT)', 'DROP TABLE "forgotten"'],
  [`ALTER TYPE "plan" ADD VALUE 'forgotten'`, expect.stringContaining('CREATE TYPE "plan_new"')],
] as const;

describe('the migrations and prisma/schema.prisma', () => {
  const migrated = useTestDatabase();

  it('match, as far as Prisma can express it', async () => {
    expect(await diffSchema(migrated.url, schema)).toEqual([]);
  });

  it('are seen to differ after each kind of change', async () => {
    const changed = await createTestDatabase();
    onTestFinished(changed.close);
    for (const [change] of CHANGES) await changed.db.$executeRawUnsafe(change);
    const repairs = await diffSchema(changed.url, schema);
    for (const [change, repair] of CHANGES) expect(repairs, change).toContainEqual(repair);
  });
});
