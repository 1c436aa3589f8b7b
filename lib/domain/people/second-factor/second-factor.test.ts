import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { isRecentFactor, RECENT_FACTOR_MS } from '@/lib/domain/context/recent-factor';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createSession, findSession } from '../sessions';
import {
  beginEnrollment,
  confirmEnrollment,
  readSecondFactor,
  removeApp,
  renewRecoveryCodes,
} from './enroll-second-factor';
import { RECOVERY_CODES } from './recovery-codes';
import { resetSecondFactor, resetSecondFactorByOperator } from './reset-second-factor';
import { totpCode } from './totp';
import { consumeSecondFactor } from './use-second-factor';

const database = useSharedDatabase();
const NOW = new Date('2026-11-25T12:00:00.000Z');
const ADDRESS = '192.0.2.7';
const STEP = 30_000;

/** A person in an organization, at NOW, and what they can do. */
async function begin() {
  const { db } = database;
  const clock = createManualClock(NOW);
  const services = createTestServices({ db, clock, mail: true });
  const { ctx, userId, organizationId } = await createTestOrganization(services);
  const { email } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  const user = { id: userId, email };
  const actor = { kind: 'user', userId, role: 'owner' } as const;
  const signIn = () => createSession(services, { userId, address: null, userAgent: null });
  const confirm = (code: string, keepSession?: string) =>
    db.$transaction((tx) =>
      confirmEnrollment(tx, services, { user, code, address: ADDRESS, ...(keepSession && { keepSession }) }),
    );
  const use = (code: string) =>
    db.$transaction((tx) => consumeSecondFactor(tx, services, { user, factor: { code }, address: ADDRESS }));
  /** Sets it up with the code of the current step. */
  const enroll = async () => {
    const secret = await beginEnrollment(services, userId);
    const codes = await confirm(totpCode(secret, clock.now()));
    return { secret, codes: codes ?? [] };
  };
  const actions = async () => {
    const entries = await db.auditEntry.findMany({ where: { organizationId }, orderBy: { number: 'asc' } });
    return entries.map(({ action }) => action).filter((action) => /factor|recovery/.test(action));
  };
  const mails = async () => {
    const rows = await db.mail.findMany({ where: { recipient: email }, orderBy: { createdAt: 'asc' } });
    return rows.map(({ id, contentSealed }) => {
      const content = services.keyring.open(contentSealed ?? new Uint8Array(), id);
      return String(JSON.parse(content).subject);
    });
  };
  const owner = { ...ctx, actor };
  return { db, clock, services, owner, user, signIn, confirm, use, enroll, actions, mails };
}

describe('setting up an authenticator app', () => {
  it('takes a code of the shown secret, shows ten recovery codes, is logged and mailed', async () => {
    const { db, services, user, confirm, actions, mails } = await begin();
    const secret = await beginEnrollment(services, user.id);
    expect(await beginEnrollment(services, user.id)).toBe(secret);
    expect(await confirm('000000')).toBeNull();
    expect(await readSecondFactor(services, user.id)).toEqual({ since: null, recoveryCodesLeft: 0 });
    const code = totpCode(secret, NOW);
    const codes = await confirm(`${code.slice(0, 3)} ${code.slice(3)}`);
    expect(new Set(codes).size).toBe(RECOVERY_CODES);
    expect(await readSecondFactor(services, user.id)).toEqual({
      since: NOW,
      recoveryCodesLeft: RECOVERY_CODES,
    });
    await expect(beginEnrollment(services, user.id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(confirm(totpCode(secret, NOW))).rejects.toThrow('already have an authenticator app');
    expect(await actions()).toEqual(['member.add-second-factor']);
    expect(await mails()).toEqual(['A second factor was set up']);
    const stored = JSON.stringify(
      await db.$queryRaw`SELECT totp_factor::text, (SELECT array_agg(recovery_code::text) FROM recovery_code) AS codes FROM totp_factor`,
    );
    for (const plain of [secret, ...(codes ?? [])]) expect(stored).not.toContain(plain);
  });

  it('shows another secret after an hour', async () => {
    const { clock, services, user } = await begin();
    const secret = await beginEnrollment(services, user.id);
    clock.advance(3_600_000);
    expect(await beginEnrollment(services, user.id)).not.toBe(secret);
  });

  it('ends every other session, and counts as a use in this one', async () => {
    const { services, user, signIn, confirm } = await begin();
    const [other, own] = [await signIn(), await signIn()];
    await confirm(totpCode(await beginEnrollment(services, user.id), NOW), own);
    expect(await findSession(services, other)).toBeNull();
    expect(await findSession(services, own)).toMatchObject({ hasFactor: true, secondFactorAt: NOW });
  });
});

describe('a code of the authenticator app', () => {
  it('works once, not even the one that set it up works again, and no earlier one does', async () => {
    const { clock, use, enroll } = await begin();
    const { secret } = await enroll();
    expect(await use(totpCode(secret, NOW))).toBe(false);
    clock.advance(STEP);
    const next = totpCode(secret, new Date(NOW.getTime() + 2 * STEP));
    expect(await use(next)).toBe(true);
    expect(await use(next)).toBe(false);
    expect(await use(totpCode(secret, new Date(NOW.getTime() + STEP)))).toBe(false);
  });

  it('works for one of two at the same time', async () => {
    const { clock, use, enroll } = await begin();
    const { secret } = await enroll();
    clock.advance(STEP);
    const code = totpCode(secret, clock.now());
    const results = await Promise.all(Array.from({ length: 4 }, () => use(code)));
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  it('is bound to its person', async () => {
    const [one, other] = [await begin(), await begin()];
    const { secret } = await one.enroll();
    await other.enroll();
    for (const { clock } of [one, other]) clock.advance(STEP);
    expect(await other.use(totpCode(secret, one.clock.now()))).toBe(false);
    expect(await one.use(totpCode(secret, one.clock.now()))).toBe(true);
  });
});

describe('a recovery code', () => {
  it('works once, also for two at the same time, however it is typed; logged and mailed', async () => {
    const { services, user, use, enroll, actions, mails } = await begin();
    const { codes } = await enroll();
    const [first = '', second = ''] = codes;
    expect(await use(` ${first.toUpperCase().replaceAll('-', ' ')} `)).toBe(true);
    expect(await use(first)).toBe(false);
    const results = await Promise.all([use(second), use(second)]);
    expect(results.toSorted()).toEqual([false, true]);
    expect(await use('abcd-abcd-abcd-abcd')).toBe(false);
    expect(await readSecondFactor(services, user.id)).toMatchObject({
      recoveryCodesLeft: RECOVERY_CODES - 2,
    });
    expect((await actions()).slice(1)).toEqual(['member.use-recovery-code', 'member.use-recovery-code']);
    expect((await mails()).slice(1)).toEqual(['A recovery code was used', 'A recovery code was used']);
  });

  it('is worthless for somebody else, and once new ones were created', async () => {
    const [{ owner, user, use, enroll, mails }, other] = [await begin(), await begin()];
    const { codes } = await enroll();
    await other.enroll();
    expect(await other.use(codes[0] ?? '')).toBe(false);
    const [renewed = ''] = await renewRecoveryCodes(owner, { user, address: ADDRESS });
    expect(await use(codes[0] ?? '')).toBe(false);
    expect(await use(renewed)).toBe(true);
    expect(await mails()).toContain('Your recovery codes were replaced');
  });
});

describe('without its second factor', () => {
  it('a session cannot remove it or replace its recovery codes', async () => {
    const { owner, user, services, enroll } = await begin();
    await enroll();
    const stale = { ...owner, actor: { ...owner.actor, isFactorStale: true } };
    const change = { user, address: ADDRESS };
    await expect(removeApp(stale, change)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(renewRecoveryCodes(stale, change)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(resetSecondFactor(stale, user.id)).rejects.toThrow('Confirm your second factor');
    expect(await readSecondFactor(services, user.id)).toEqual({
      since: NOW,
      recoveryCodesLeft: RECOVERY_CODES,
    });
  });

  it('removing it deletes the recovery codes, too; logged and mailed once', async () => {
    const { db, owner, user, use, enroll, actions, mails } = await begin();
    const { codes } = await enroll();
    await removeApp(owner, { user, address: ADDRESS });
    await removeApp(owner, { user, address: ADDRESS });
    expect(await use(codes[0] ?? '')).toBe(false);
    expect(await db.recoveryCode.count({ where: { userId: user.id } })).toBe(0);
    expect(await actions()).toEqual(['member.add-second-factor', 'member.remove-second-factor']);
    expect(await mails()).toContain('Your authenticator app was removed');
  });
});

describe('resetting the second factor of a member', () => {
  it('ends their sessions, is logged, and mailed with who did it', async () => {
    const { owner, user, services, signIn, enroll, actions, mails } = await begin();
    await enroll();
    const session = await signIn();
    await resetSecondFactor(owner, user.id);
    expect(await findSession(services, session)).toBeNull();
    expect(await readSecondFactor(services, user.id)).toEqual({ since: null, recoveryCodesLeft: 0 });
    expect(await actions()).toContain('member.reset-second-factor');
    expect(await mails()).toContain('Your second factor was reset');
    await expect(resetSecondFactor(owner, user.id)).rejects.toThrow('has no second factor');
  });

  it('is refused for members of another organization, whose operator can do it', async () => {
    const [one, other] = [await begin(), await begin()];
    await one.enroll();
    const { organizationId } = other.owner;
    const membership = { organizationId, userId: one.user.id, role: 'viewer', createdAt: NOW } as const;
    await one.db.membership.create({ data: membership });
    for (const { owner } of [one, other]) {
      await expect(resetSecondFactor(owner, one.user.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await resetSecondFactorByOperator(one.services, one.user.email);
    expect(await readSecondFactor(one.services, one.user.id)).toMatchObject({ since: null });
    await expect(resetSecondFactorByOperator(one.services, 'nobody@example.com')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

it('a use is recent for ten minutes', () => {
  const after = (ms: number) => new Date(NOW.getTime() + ms);
  expect(isRecentFactor(NOW, after(RECENT_FACTOR_MS - 1))).toBe(true);
  expect(isRecentFactor(NOW, after(RECENT_FACTOR_MS))).toBe(false);
  expect(isRecentFactor(null, NOW)).toBe(false);
});
