import { expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { afterCommit } from './after-commit';
import { joinTransaction } from './client';

const database = useTestDatabase();

it('work for after a commit runs after it, also that of a joined transaction, and never after a rollback', async () => {
  const { db } = database;
  const seen: string[] = [];
  const readers = () => db.$queryRaw<{ id: number }[]>`SELECT 1 AS id`;
  await db.$transaction(async (tx) => {
    afterCommit(tx, () => seen.push('own'));
    await joinTransaction(tx).$transaction(async (joined) => {
      afterCommit(joined, () => seen.push('joined'));
    });
    await readers();
    expect(seen).toEqual([]);
  });
  expect(seen).toEqual(['own', 'joined']);
  const failing = db.$transaction(async (tx) => {
    afterCommit(tx, () => seen.push('rolled back'));
    await tx.$executeRaw`SELECT 1 / 0`;
  });
  await expect(failing).rejects.toThrow();
  const cut = db.$transaction(async (tx) => {
    afterCommit(tx, () => seen.push('not committed'));
    await tx.$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`.catch(() => undefined);
  });
  await expect(cut).rejects.toThrow();
  expect(seen).toEqual(['own', 'joined']);
  afterCommit(db, () => seen.push('outside'));
  expect(seen.at(-1)).toBe('outside');
});
