import { expect, it } from 'vitest';
import { isBackupDue } from './backup-due';

const at = (text: string) => new Date(`2026-03-${text}Z`);
const NEVER = { startedAt: null, succeededAt: null };

it('the first backup is due at once', () => {
  expect(isBackupDue(NEVER, at('05T14:00:00'))).toBe(true);
});

it.each([
  { now: '05T23:59:59', due: false },
  { now: '06T01:59:59', due: false },
  { now: '06T02:00:00', due: true },
  { now: '09T18:00:00', due: true },
])('the next one is due from 02:00 UTC, whenever that was missed: $now', ({ now, due }) => {
  const history = { startedAt: at('05T13:55:00'), succeededAt: at('05T14:00:00') };
  expect(isBackupDue(history, at(now))).toBe(due);
});

it('one that did not succeed is repeated 15 minutes after it began', () => {
  const history = { startedAt: at('06T02:00:00'), succeededAt: at('05T02:01:00') };
  expect(isBackupDue(history, at('06T02:14:59'))).toBe(false);
  expect(isBackupDue(history, at('06T02:15:00'))).toBe(true);
});
