import { expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { createManualClock } from '@/lib/core/time/clock';
import { issueToken } from '@/lib/domain/people/one-time-links';
import { createSession } from '@/lib/domain/people/sessions';
import {
  openPendingSignIn,
  PENDING_SECONDS,
  readPendingSignIn,
} from '@/lib/domain/people/sign-in/pending-sign-ins';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { applyRetention } from './retention';

const database = useTestDatabase();
const START = new Date('2026-11-25T12:00:00.000Z');
const daysAgo = (days: number) => new Date(START.getTime() - days * 86_400_000);

it('sessions, pending sign-ins and used challenges are deleted when they expire, one-time links 30 days later', async () => {
  const { db } = database;
  const services = createTestServices({ db, clock: createManualClock(START) });
  const id = createId('user');
  const person = { email: `${id}@example.com`, passwordHash: 'x', createdAt: START, updatedAt: START };
  await db.user.create({ data: { id, ...person } });
  const addSession = (expiresAt: Date) =>
    createSession(
      { ...services, clock: { now: () => daysAgo(31) } },
      { userId: id, address: null, userAgent: null },
    ).then((sessionId) => db.session.update({ where: { id: sessionId }, data: { expiresAt } }));
  await addSession(new Date(START.getTime() - 1));
  const open = await addSession(new Date(START.getTime() + 1));
  const addPending = (now: Date) =>
    db.$transaction((tx) => openPendingSignIn(tx, { userId: id, method: 'password' }, now));
  await addPending(new Date(START.getTime() - PENDING_SECONDS * 1000 - 1));
  const pending = await addPending(new Date(START.getTime() - PENDING_SECONDS * 1000 + 1));
  const challenges = [-1, 1].map((ms, n) => ({
    challenge: new Uint8Array([n + 1]),
    expiresAt: new Date(START.getTime() + ms),
  }));
  await db.usedChallenge.createMany({ data: challenges });
  const addLink = (kind: 'email_confirmation' | 'password_reset', days: number) =>
    issueToken(db, { kind, email: person.email, userId: id }, { now: daysAgo(days), lifetimeMs: 0 });
  await addLink('email_confirmation', 31);
  const recent = await addLink('password_reset', 29);
  await Promise.all([1, 2].map(() => applyRetention(services, { rawDays: 30 })));
  const left = { where: { userId: id }, select: { id: true } };
  expect(await db.usedChallenge.findMany({ select: { challenge: true } })).toEqual([
    { challenge: new Uint8Array([2]) },
  ]);
  expect(await db.session.findMany(left)).toEqual([{ id: open.id }]);
  expect(await db.pendingSignIn.count({ where: { userId: id } })).toBe(1);
  expect(await readPendingSignIn(db, pending, START)).not.toBeNull();
  expect(await db.oneTimeToken.findMany(left)).toEqual([{ id: recent.id }]);
});
