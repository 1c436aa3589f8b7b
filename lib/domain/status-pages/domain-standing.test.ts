import { describe, expect, it } from 'vitest';
import { beginStanding, type DomainStanding, type Finding, judgeDomain, standTaken } from './domain-standing';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = new Date('2026-03-10T12:00:00.000Z');
const at = (ms: number) => new Date(START.getTime() + ms);

const found: Finding = { kind: 'found' };
const missing: Finding = { kind: 'missing', reason: 'There is no record.' };
const unclear: Finding = { kind: 'unclear', reason: 'No response.' };

/** The state of a domain after all checks due until `until`, in milliseconds after START. */
function checkUntil(
  standing: DomainStanding,
  finding: (ms: number) => Finding,
  until: number,
): DomainStanding {
  let current = standing;
  for (
    let due = current.domainNextCheckAt;
    due !== null && due <= at(until);
    due = current.domainNextCheckAt
  ) {
    current = judgeDomain(current, finding(due.getTime() - START.getTime()), due);
  }
  return current;
}

const verified = judgeDomain(beginStanding(START), found, START);

describe('a pending domain', () => {
  it('is verified by the first check that finds its record', () => {
    expect(verified).toMatchObject({
      customDomainVerifiedAt: START,
      domainPendingSince: null,
      domainNextCheckAt: at(DAY),
    });
  });

  it('is checked immediately, every 5 minutes for 3 days, then daily', () => {
    const begun = beginStanding(START);
    expect(begun.domainNextCheckAt).toEqual(START);
    const first = judgeDomain(begun, missing, START);
    expect(first).toMatchObject({
      customDomainVerifiedAt: null,
      domainError: missing.reason,
      domainNextCheckAt: at(HOUR / 12),
    });
    const late = judgeDomain(first, unclear, at(3 * DAY));
    expect(late).toMatchObject({
      domainError: unclear.reason,
      domainPendingSince: START,
      domainNextCheckAt: at(4 * DAY),
    });
  });
});

describe('a verified domain', () => {
  it('is checked daily and keeps the time of its verification', () => {
    expect(judgeDomain(verified, found, at(DAY))).toEqual({ ...verified, domainNextCheckAt: at(2 * DAY) });
  });

  it('is kept while its record is missing for less than 3 days, with a check every hour', () => {
    const doubtful = judgeDomain(verified, missing, at(DAY));
    expect(doubtful).toMatchObject({
      customDomainVerifiedAt: START,
      domainMissingSince: at(DAY),
      domainNextCheckAt: at(DAY + HOUR),
    });
    expect(checkUntil(verified, () => missing, 4 * DAY - 1)).toMatchObject({
      customDomainVerifiedAt: START,
      domainMissingSince: at(DAY),
    });
  });

  it('is lost once it has been missing for 3 days, then checked like a new one', () => {
    const lost = checkUntil(verified, () => missing, 4 * DAY);
    expect(lost).toMatchObject({
      customDomainVerifiedAt: null,
      domainMissingSince: null,
      domainSetback: 'lost',
    });
    expect(lost).toMatchObject({
      domainPendingSince: at(4 * DAY),
      domainNextCheckAt: at(4 * DAY + HOUR / 12),
    });
    expect(judgeDomain(lost, missing, at(4 * DAY + HOUR))).toMatchObject({ domainSetback: 'lost' });
    const back = judgeDomain(lost, found, at(5 * DAY));
    expect(back).toMatchObject({
      customDomainVerifiedAt: at(5 * DAY),
      domainSetback: null,
      domainError: null,
    });
  });

  it('starts over when the record was found in between', () => {
    const there = (ms: number) => (Math.round(ms / HOUR) === 60 ? found : missing);
    expect(checkUntil(verified, there, 4 * DAY + HOUR)).toMatchObject({
      customDomainVerifiedAt: START,
      domainSetback: null,
    });
  });

  it('is never lost because of a failing name server', () => {
    expect(checkUntil(verified, () => unclear, 90 * DAY)).toMatchObject({
      customDomainVerifiedAt: START,
      domainMissingSince: null,
    });
  });

  it('is not lost because of unclear results after a missing one', () => {
    const once = (ms: number) => (ms === DAY ? missing : unclear);
    expect(checkUntil(verified, once, 30 * DAY)).toMatchObject({
      customDomainVerifiedAt: START,
      domainMissingSince: at(DAY),
    });
    // The next certain result decides.
    const doubtful = checkUntil(verified, once, 30 * DAY);
    expect(judgeDomain(doubtful, missing, at(31 * DAY))).toMatchObject({ domainSetback: 'lost' });
  });
});

describe('a taken domain', () => {
  const taken = standTaken(beginStanding(START), START);

  it('is checked daily', () => {
    expect(taken).toMatchObject({
      customDomainVerifiedAt: null,
      domainSetback: 'taken',
      domainNextCheckAt: at(DAY),
    });
  });

  it('is pending again without its record and stays taken if the result is unclear', () => {
    expect(judgeDomain(taken, missing, at(DAY)).domainSetback).toBeNull();
    expect(judgeDomain(taken, unclear, at(DAY)).domainSetback).toBe('taken');
  });
});
