import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase, useTestPool } from '@/lib/testing/database';
import { createPasswordThrottle, type PasswordAttempt, type PasswordThrottle } from './password-throttle';

const database = useTestDatabase();
const SETTINGS = { freeAttempts: 10, firstWait: 60, longestWait: 900, attemptsPerAddress: 100 };
const pool = useTestPool(database, { max: 4 });
let throttle: PasswordThrottle;
let people = 0;

beforeAll(() => {
  throttle = createPasswordThrottle(pool(), SETTINGS);
});

/** A person whom nobody has tried yet, from an address of their own. */
const anyone = (): PasswordAttempt => ({
  email: `p${people++}@example.com`,
  address: `203.0.113.${people}`,
  knownBrowser: null,
});
const wrong = async () => null;
const right = async () => 'in';
const attempt = async (count: number, one: () => Promise<unknown>) => {
  for (let n = 0; n < count; n++) await one();
};

describe('wrong passwords of an account', () => {
  it('are free ten times; then even the right one has to wait, and the message contains how long', async () => {
    const of = anyone();
    await attempt(10, () => throttle.guard(of, wrong));
    let looked = false;
    const late = throttle.guard(of, async () => {
      looked = true;
      return 'in';
    });
    await expect(late).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Too many wrong passwords. Try again in 1 minute.',
    });
    expect(looked).toBe(false);
    await expect(throttle.guard({ ...of, address: '198.51.100.9' }, right)).rejects.toThrow('Too many');
    expect(await throttle.guard(anyone(), right)).toBe('in');
  });

  it('are counted under concurrent requests', async () => {
    const of = anyone();
    let looked = 0;
    const look = async () => {
      looked++;
      return null;
    };
    await Promise.allSettled(Array.from({ length: 40 }, () => throttle.guard(of, look)));
    expect(looked).toBe(10);
  });

  it('are cleared by the right one, and by a reset', async () => {
    const of = anyone();
    await attempt(9, () => throttle.guard(of, wrong));
    expect(await throttle.guard(of, right)).toBe('in');
    await attempt(10, () => throttle.guard(of, wrong));
    await throttle.clear(of.email);
    expect(await throttle.guard(of, right)).toBe('in');
  });

  it('by strangers do not lock out someone who has signed in in this browser before', async () => {
    const of = anyone();
    await attempt(10, () => throttle.guard(of, wrong));
    const own = { ...of, address: '198.51.100.7', knownBrowser: 'mine' };
    expect(await throttle.guard(own, right)).toBe('in');
    await attempt(10, () => throttle.guard(own, wrong));
    await expect(throttle.guard(own, right)).rejects.toThrow('Too many');
    expect(await throttle.guard({ ...own, knownBrowser: 'another' }, right)).toBe('in');
  });

  it('wait longer each time, up to a limit, and succeed after the wait', async () => {
    const quick = createPasswordThrottle(pool(), {
      ...SETTINGS,
      freeAttempts: 2,
      firstWait: 1,
      longestWait: 2,
    });
    const of = anyone();
    const waitOf = () =>
      quick.guard(of, right).then(
        () => null,
        (error: Error) => Number(/in (\d+) second/.exec(error.message)?.[1]),
      );
    await attempt(2, () => quick.guard(of, wrong));
    expect(await waitOf()).toBe(1);
    await sleep(1100);
    await quick.guard(of, wrong);
    expect(await waitOf()).toBe(2);
    await sleep(2100);
    await quick.guard(of, wrong);
    expect(await waitOf()).toBe(2);
    await sleep(2100);
    expect(await waitOf()).toBeNull();
  });
});

it('wrong passwords from one address are limited across accounts; a right one refunds only its own attempt', async () => {
  const few = createPasswordThrottle(pool(), { ...SETTINGS, attemptsPerAddress: 5 });
  const address = '2001:db8:1:2::/64';
  const someone = () => ({ ...anyone(), address });
  await attempt(4, () => few.guard(someone(), wrong));
  await attempt(3, () => few.guard(someone(), right));
  await few.guard(someone(), wrong);
  await expect(few.guard(someone(), right)).rejects.toThrow('Too many wrong passwords');
  expect(await few.guard(anyone(), right)).toBe('in');
});

it('wrong codes are counted apart: right passwords do not clear them, and wrong ones do not use them up', async () => {
  const of = anyone();
  await attempt(9, () => throttle.guardCode(of, wrong));
  expect(await throttle.guard(of, right)).toBe('in');
  await throttle.guardCode(of, wrong);
  await expect(throttle.guardCode(of, right)).rejects.toThrow('Too many wrong codes. Try again in 1 minute.');
  expect(await throttle.guard(of, right)).toBe('in');
  expect(await throttle.guardCode(anyone(), right)).toBe('in');
});

it('mails to one address are limited to a handful per hour', async () => {
  const request = anyone();
  await attempt(5, () => throttle.countMail(request));
  await expect(throttle.countMail(request)).rejects.toThrow('Too many requests. Try again in 60 minutes.');
  await throttle.countMail(anyone());
});
