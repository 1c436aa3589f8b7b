import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '@/lib/core/errors';

/** A password attempt: for which account, and from where. */
export type PasswordAttempt = {
  /** As returned by `emailAddress`, whether or not it has an account. */
  email: string;
  /** As returned by `countedAddress`; null if unknown. */
  address: string | null;
  /** As returned by `readKnownBrowser`: a browser in which this person has signed in before. */
  knownBrowser: string | null;
};

/** How many wrong passwords are free, and how long the following waits are, in seconds. */
export const THROTTLE = {
  freeAttempts: 10,
  firstWait: 60,
  longestWait: 900,
  /** Wrong passwords per address, across all accounts, in `longestWait`. */
  attemptsPerAddress: 100,
};

/** Slows down password guessing, across all web processes. */
export type PasswordThrottle = {
  /** Runs `check` (null: wrong password) if an attempt is allowed. Otherwise throws RATE_LIMITED with the waiting time. */
  guard<T>(attempt: PasswordAttempt, check: () => Promise<T | null>): Promise<T | null>;
  /** The same for codes of second factors, which are counted apart from passwords. */
  guardCode<T>(
    attempt: Omit<PasswordAttempt, 'knownBrowser'>,
    check: () => Promise<T | null>,
  ): Promise<T | null>;
  /** Clears the wrong passwords of an account whose password was reset by a link that only its owner received. */
  clear(email: string): Promise<void>;
  /** Counts one request for an email to `email`; throws RATE_LIMITED after a handful per hour. */
  countMail(request: { email: string; address: string | null }): Promise<void>;
};

const TABLE = { tableName: 'rate_limit', tableCreated: true };
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;
const MAILS_TO_ONE = 5;
const MAILS_FROM_ADDRESS = 30;

/**
 * Ten wrong passwords per account are free. After that each attempt has to wait: a minute at first, then
 * twice as long each time, at most 15 minutes. A day without wrong passwords, or a sign-in, resets this.
 *
 * Anyone who knows an email address could lock out its owner that way. So a browser in which the person has
 * signed in before carries a proof and is counted separately (OWASP's device cookies): strangers only use up
 * the shared attempts. A password reset ends the wait everywhere.
 *
 * Attempts from one address (a /64 for IPv6) are counted across accounts, against guessing one password for
 * many accounts. A right password only refunds its own attempt; otherwise anyone with an account could guess
 * others forever.
 *
 * An attempt is counted before the password is checked, and refunded if it was right, so that concurrent
 * attempts do not slip through.
 */
export function createPasswordThrottle(pool: Pool, settings = THROTTLE): PasswordThrottle {
  const { freeAttempts, firstWait, longestWait, attemptsPerAddress } = settings;
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({ ...TABLE, storeClient: pool, keyPrefix, points, duration });
  const passwords = {
    what: 'wrong passwords',
    wrong: limiter('wrong', freeAttempts, DAY_SECONDS),
    turn: limiter('turn', 1, firstWait),
    ofAddress: limiter('tries', attemptsPerAddress, longestWait),
  };
  // A right password must not clear the wrong codes: it is what somebody who guesses codes already has.
  const codes = {
    what: 'wrong codes',
    wrong: limiter('code-wrong', freeAttempts, DAY_SECONDS),
    turn: limiter('code-turn', 1, firstWait),
    ofAddress: limiter('code-tries', attemptsPerAddress, longestWait),
  };
  const mailsTo = limiter('mail-to', MAILS_TO_ONE, HOUR_SECONDS);
  const mailsFrom = limiter('mail-from', MAILS_FROM_ADDRESS, HOUR_SECONDS);

  /** Takes an attempt of the account: a free one, or else the only one of the current wait. */
  const takeAttempt = async ({ wrong, turn }: typeof passwords, account: string) => {
    const { consumedPoints } = await wrong.penalty(account);
    if (consumedPoints < freeAttempts) return;
    const wait = Math.min(firstWait * 2 ** Math.min(consumedPoints - freeAttempts, 30), longestWait);
    try {
      await turn.consume(account, 1, { customDuration: wait });
    } catch (outcome) {
      await wrong.reward(account);
      throw outcome;
    }
  };

  const guard = async <T>(
    kind: typeof passwords,
    { account, address }: { account: string; address: string | null },
    check: () => Promise<T | null>,
  ): Promise<T | null> => {
    const key = hashKey(account);
    const place = address ?? 'unknown';
    await orThrowLimited(kind.what, () => kind.ofAddress.consume(place));
    await orThrowLimited(kind.what, () => takeAttempt(kind, key));
    const result = await check();
    if (result !== null) {
      await Promise.all([kind.ofAddress.reward(place), kind.wrong.delete(key), kind.turn.delete(key)]);
    }
    return result;
  };

  return {
    guard: ({ email, address, knownBrowser }, check) => {
      const account = knownBrowser === null ? email : `${email} ${knownBrowser}`;
      return guard(passwords, { account, address }, check);
    },
    guardCode: ({ email, address }, check) => guard(codes, { account: email, address }, check),
    clear: async (email) => {
      const account = hashKey(email);
      await Promise.all([passwords.wrong.delete(account), passwords.turn.delete(account)]);
    },
    countMail: async ({ email, address }) => {
      await orThrowLimited('requests', () => mailsFrom.consume(address ?? 'unknown'));
      await orThrowLimited('requests', () => mailsTo.consume(hashKey(email)));
    },
  };
}

/** Email addresses are personal data: the counting table stores hashes only. */
function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function orThrowLimited(what: string, take: () => Promise<unknown>): Promise<void> {
  try {
    await take();
  } catch (outcome) {
    if (!(outcome instanceof RateLimiterRes)) throw outcome;
    throw new DomainError(
      'RATE_LIMITED',
      `Too many ${what}. Try again in ${formatWait(outcome.msBeforeNext)}.`,
    );
  }
}

/** Rounded up, so that returning on time succeeds. */
function formatWait(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}
