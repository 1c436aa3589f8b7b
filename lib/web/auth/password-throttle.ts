import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '@/lib/core/errors';

/** Whose password is tried, and from where. */
export type PasswordAttempt = {
  /** As `emailAddress` answers it; whether it has an account makes no difference. */
  email: string;
  /** As `countedAddress` answers it; null where nobody knows. */
  address: string | null;
  /** What `readKnownBrowser` answers: a browser in which this person has signed in before. */
  knownBrowser: string | null;
};

/** How many wrong passwords are free, and how long the waits after them are, in seconds. */
export type ThrottleSettings = {
  freeTries: number;
  firstWait: number;
  longestWait: number;
  /** Wrong passwords from one address, whatever the accounts, in `longestWait`. */
  triesOfAddress: number;
};

export const THROTTLE: ThrottleSettings = {
  freeTries: 10,
  firstWait: 60,
  longestWait: 900,
  triesOfAddress: 100,
};

/** Slows down who tries passwords, over all web processes. */
export type PasswordThrottle = {
  /**
   * Runs `check`, which answers null for a wrong password, where a try is free. Throws RATE_LIMITED, saying how long to
   * wait, where it is not: then not even the right password is looked at.
   */
  guard<T>(tried: PasswordAttempt, check: () => Promise<T | null>): Promise<T | null>;
  /** Forgets the wrong passwords of an account: its password was reset by a link that only its owner got. */
  forgive(email: string): Promise<void>;
  /** Counts one request for a mail to `email`; throws RATE_LIMITED after a handful in an hour. */
  countMail(request: { email: string; address: string | null }): Promise<void>;
};

const TABLE = 'rate_limit';
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;
const MAILS_TO_ONE = 5;
const MAILS_FROM_ADDRESS = 30;

/**
 * Ten wrong passwords of an account are free. From then on each further try has to wait, a minute at first, twice as long
 * each time, a quarter of an hour at most; a day without wrong ones, or a sign-in, and all is forgotten.
 *
 * Whoever knows an address could keep its owner waiting that way. So a browser in which the person has signed in before
 * carries a proof of it and is counted apart (OWASP's device cookies): strangers use up only what strangers share. And a
 * password reset ends the wait anywhere.
 *
 * Tries from one address (a /64 of IPv6) are counted whatever the accounts, for those who try one password on many; a
 * right password gives back its own try only, or who has an account could try others for ever.
 *
 * A try is counted before the password is looked at and given back if it was right: many at once do not slip through.
 */
export function createPasswordThrottle(pool: Pool, settings: ThrottleSettings = THROTTLE): PasswordThrottle {
  const { freeTries, firstWait, longestWait, triesOfAddress } = settings;
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      tableName: TABLE,
      tableCreated: true,
      keyPrefix,
      points,
      duration,
    });
  const wrong = limiter('wrong', freeTries, DAY_SECONDS);
  const turn = limiter('turn', 1, firstWait);
  const ofAddress = limiter('tries', triesOfAddress, longestWait);
  const mailsTo = limiter('mail-to', MAILS_TO_ONE, HOUR_SECONDS);
  const mailsFrom = limiter('mail-from', MAILS_FROM_ADDRESS, HOUR_SECONDS);

  /** Takes a try of the account: a free one, or else the only one of the wait that begins with it. */
  const takeAttempt = async (account: string) => {
    const { consumedPoints } = await wrong.penalty(account);
    if (consumedPoints < freeTries) return;
    const wait = Math.min(firstWait * 2 ** Math.min(consumedPoints - freeTries, 30), longestWait);
    try {
      await turn.consume(account, 1, { customDuration: wait });
    } catch (outcome) {
      await wrong.reward(account);
      throw outcome;
    }
  };

  return {
    guard: async ({ email, address, knownBrowser }, check) => {
      const account = hashKey(knownBrowser === null ? email : `${email} ${knownBrowser}`);
      const place = address ?? 'unknown';
      await orRefuse('wrong passwords', () => ofAddress.consume(place));
      await orRefuse('wrong passwords', () => takeAttempt(account));
      const result = await check();
      if (result !== null) {
        await Promise.all([ofAddress.reward(place), wrong.delete(account), turn.delete(account)]);
      }
      return result;
    },
    forgive: async (email) => {
      const account = hashKey(email);
      await Promise.all([wrong.delete(account), turn.delete(account)]);
    },
    countMail: async ({ email, address }) => {
      await orRefuse('requests', () => mailsFrom.consume(address ?? 'unknown'));
      await orRefuse('requests', () => mailsTo.consume(hashKey(email)));
    },
  };
}

/** Addresses are people's: the table that counts needs none in clear text, and no key of 250 characters. */
function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function orRefuse(what: string, take: () => Promise<unknown>): Promise<void> {
  try {
    await take();
  } catch (outcome) {
    if (!(outcome instanceof RateLimiterRes)) throw outcome;
    throw new DomainError('RATE_LIMITED', `Too many ${what}. Try again in ${sayWait(outcome.msBeforeNext)}.`);
  }
}

/** Rounded up: who comes back when told is let in. */
function sayWait(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
