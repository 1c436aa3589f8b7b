import { expect, it } from 'vitest';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import {
  endPendingSignIn,
  endPendingSignInsOf,
  MAX_PENDING,
  openPendingSignIn,
  PENDING_SECONDS,
  readPendingSignIn,
} from './pending-sign-ins';

const database = useSharedDatabase();
const NOW = new Date('2026-11-25T12:00:00.000Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

/** A person, and how they begin a sign-in. */
async function begin() {
  const { db } = database;
  const { userId } = await createTestOrganization(createTestServices({ db }));
  const open = (now = NOW) =>
    db.$transaction((tx) => openPendingSignIn(tx, { userId, method: 'password' }, now));
  const end = (token: string, now = NOW) => db.$transaction((tx) => endPendingSignIn(tx, token, now));
  return { db, userId, open, end };
}

it('is bound to its person and what they proved, for ten minutes', async () => {
  const { db, userId, open, end } = await begin();
  const token = await open();
  expect(await readPendingSignIn(db, token, later(PENDING_SECONDS - 1))).toEqual({
    userId,
    method: 'password',
  });
  expect(await readPendingSignIn(db, token, later(PENDING_SECONDS))).toBeNull();
  expect(await end(token, later(PENDING_SECONDS))).toBe(false);
  expect(await readPendingSignIn(db, `${token}x`, NOW)).toBeNull();
});

it('works once, also for two at the same time, and its token is not stored', async () => {
  const { db, open, end } = await begin();
  const token = await open();
  const rows = await db.$queryRaw<
    { row: string }[]
  >`SELECT pending_sign_in::text AS row FROM pending_sign_in`;
  expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  expect((await Promise.all([end(token), end(token)])).toSorted()).toEqual([false, true]);
  expect(await readPendingSignIn(db, token, NOW)).toBeNull();
});

it('is limited to ten per person: a new one replaces the oldest, and expired ones are deleted', async () => {
  const { db, userId, open } = await begin();
  const tokens: string[] = [];
  for (let n = 0; n <= MAX_PENDING; n++) tokens.push(await open(later(n)));
  const now = later(MAX_PENDING);
  const isOpen = await Promise.all(tokens.map((token) => readPendingSignIn(db, token, now)));
  expect(isOpen.map((each) => each !== null)).toEqual([false, ...Array(MAX_PENDING).fill(true)]);
  await open(later(PENDING_SECONDS + MAX_PENDING));
  expect(await db.pendingSignIn.count({ where: { userId } })).toBe(1);
  await db.$transaction((tx) => endPendingSignInsOf(tx, userId));
  expect(await db.pendingSignIn.count({ where: { userId } })).toBe(0);
});
