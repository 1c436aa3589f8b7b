import { describe, expect, it } from 'vitest';
import { createScheduled } from '@/lib/engine/testing/scheduled';
import { goodDueAfter, noteEvidence, wantedEvidence } from './wanted-evidence';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('the results that leave evidence', () => {
  const steady = { failedAt: null, awaitsRecovery: false, goodDueAt: NOW + 1 };

  it.each([
    ['failures of a region that does not fail', steady, 'failed'],
    ['all once a good response is due', { ...steady, goodDueAt: NOW }, 'any'],
    ['successes of a region that fails', { ...steady, failedAt: NOW - 60_000, awaitsRecovery: true }, 'ok'],
    [
      'all of a region whose failure is too long ago to be of the same run',
      { ...steady, failedAt: NOW - HOUR, awaitsRecovery: true },
      'any',
    ],
    ['all of a changed monitor that failed before', { ...steady, awaitsRecovery: true }, 'any'],
  ] as const)('are %s', (_, known, wanted) => {
    expect(wantedEvidence(createScheduled(known), NOW)).toBe(wanted);
  });

  it('follow from the results that were recorded', () => {
    const monitor = createScheduled({ ...steady, lastResultAt: NOW - 1000 });
    const note = (outcome: 'ok' | 'failed', isKept: boolean) =>
      noteEvidence(monitor, outcome, { startedAt: new Date(NOW - 2000), isKept });
    note('failed', true);
    expect(wantedEvidence(monitor, NOW)).toBe('ok');
    note('ok', true);
    expect(wantedEvidence(monitor, NOW)).toBe('failed');
    expect(monitor.goodDueAt).toBe(NOW - 2000 + DAY);
    note('ok', false);
    expect(monitor.goodDueAt).toBe(NOW - 2000 + DAY);
  });
});

describe('the next good response', () => {
  const place = { isContested: false, phase: 5000 };

  it('is due a day after the last one', () => {
    expect(goodDueAfter(NOW - HOUR, place, NOW)).toBe(NOW + DAY - HOUR);
  });

  it('is due at the monitor’s place in the hour if it is overdue, so that not all of a worker are at once', () => {
    expect(goodDueAfter(NOW - 2 * DAY, place, NOW)).toBe(NOW + HOUR / 2);
    expect(goodDueAfter(null, { ...place, phase: 2500 }, NOW)).toBe(NOW + HOUR / 4);
  });

  it('is due at once of a new monitor', () => {
    expect(goodDueAfter(null, { ...place, isContested: true }, NOW)).toBe(NOW);
  });
});
