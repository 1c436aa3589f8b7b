import { describe, expect, it } from 'vitest';
import { beginStanding, type DomainStanding, type Finding, judgeDomain, standTaken } from './domain-standing';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = new Date('2026-03-10T12:00:00.000Z');
const at = (ms: number) => new Date(START.getTime() + ms);

const found: Finding = { kind: 'found' };
const missing: Finding = { kind: 'missing', reason: 'There is no record.' };
const unclear: Finding = { kind: 'unclear', reason: 'No answer.' };

/** Looks whenever it is due, from `standing` on, as long as `until` and `findings` go; answers each look's moment and outcome. */
function live(standing: DomainStanding, finding: (ms: number) => Finding, until: number): DomainStanding {
  let current = standing;
  for (let due = current.nextCheckAt; due !== null && due <= at(until); due = current.nextCheckAt) {
    current = judgeDomain(current, finding(due.getTime() - START.getTime()), due);
  }
  return current;
}

const verified = judgeDomain(beginStanding(START), found, START);

describe('a pending domain', () => {
  it('is verified by the first check that finds its record', () => {
    expect(verified).toMatchObject({ verifiedAt: START, pendingSince: null, nextCheckAt: at(DAY) });
  });

  it('is checked immediately, every 5 minutes for 3 days, then daily', () => {
    const begun = beginStanding(START);
    expect(begun.nextCheckAt).toEqual(START);
    const first = judgeDomain(begun, missing, START);
    expect(first).toMatchObject({ verifiedAt: null, error: missing.reason, nextCheckAt: at(HOUR / 12) });
    const late = judgeDomain(first, unclear, at(3 * DAY));
    expect(late).toMatchObject({ error: unclear.reason, pendingSince: START, nextCheckAt: at(4 * DAY) });
  });
});

describe('a verified domain', () => {
  it('is checked daily and keeps the time of its verification', () => {
    expect(judgeDomain(verified, found, at(DAY))).toEqual({ ...verified, nextCheckAt: at(2 * DAY) });
  });

  it('is kept while its record is missing for less than 3 days, with a check every hour', () => {
    const doubtful = judgeDomain(verified, missing, at(DAY));
    expect(doubtful).toMatchObject({ verifiedAt: START, missingSince: at(DAY), nextCheckAt: at(DAY + HOUR) });
    expect(live(verified, () => missing, 4 * DAY - 1)).toMatchObject({
      verifiedAt: START,
      missingSince: at(DAY),
    });
  });

  it('is lost once it has been missing for 3 days, then checked like a new one', () => {
    const lost = live(verified, () => missing, 4 * DAY);
    expect(lost).toMatchObject({ verifiedAt: null, missingSince: null, setback: 'lost' });
    expect(lost).toMatchObject({ pendingSince: at(4 * DAY), nextCheckAt: at(4 * DAY + HOUR / 12) });
    expect(judgeDomain(lost, missing, at(4 * DAY + HOUR))).toMatchObject({ setback: 'lost' });
    const back = judgeDomain(lost, found, at(5 * DAY));
    expect(back).toMatchObject({ verifiedAt: at(5 * DAY), setback: null, error: null });
  });

  it('starts over when the record was found in between', () => {
    const there = (ms: number) => (Math.round(ms / HOUR) === 60 ? found : missing);
    expect(live(verified, there, 4 * DAY + HOUR)).toMatchObject({ verifiedAt: START, setback: null });
  });

  it('is never lost because of a failing name server', () => {
    expect(live(verified, () => unclear, 90 * DAY)).toMatchObject({ verifiedAt: START, missingSince: null });
  });

  it('is not lost because of unclear results after a missing one', () => {
    const once = (ms: number) => (ms === DAY ? missing : unclear);
    expect(live(verified, once, 30 * DAY)).toMatchObject({ verifiedAt: START, missingSince: at(DAY) });
    // The next one that misses it for certain decides.
    const doubtful = live(verified, once, 30 * DAY);
    expect(judgeDomain(doubtful, missing, at(31 * DAY))).toMatchObject({ setback: 'lost' });
  });
});

describe('a taken domain', () => {
  const taken = standTaken(beginStanding(START), START);

  it('is checked daily', () => {
    expect(taken).toMatchObject({ verifiedAt: null, setback: 'taken', nextCheckAt: at(DAY) });
  });

  it('is pending again without its record and stays taken if the result is unclear', () => {
    expect(judgeDomain(taken, missing, at(DAY)).setback).toBeNull();
    expect(judgeDomain(taken, unclear, at(DAY)).setback).toBe('taken');
  });
});
