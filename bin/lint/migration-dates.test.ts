import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { MIGRATION_NAMES } from '@/lib/platform/db/testing/old-databases';

/** Why the name of a migration that was committed on `day` (2026-11-28) is refused; null: it is not. */
function judge(name: string, day: string): string | null {
  const [, date = '', time = ''] = /^(\d{8})(\d{6})_[a-z0-9_]+$/.exec(name) ?? [];
  const iso = `${date.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')}T${time.replace(/(\d\d)(\d\d)(\d\d)/, '$1:$2:$3')}.000Z`;
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime()) || moment.toISOString() !== iso)
    return 'must begin with a date and a time that exist';
  return iso.slice(0, 10) > day ? `is dated after ${day}, on which it was committed` : null;
}

/** The day on which its author committed it, there; today, if nobody has. */
function readDay(name: string): string {
  const path = `prisma/migrations/${name}/migration.sql`;
  const log = ['log', '--diff-filter=A', '--format=%as', '-1', '--', path];
  try {
    const day = execFileSync('git', log, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    if (day !== '') return day;
  } catch {
    // Not a checkout.
  }
  return new Date().toISOString().slice(0, 10);
}

it.each([
  ['20261128093000_column', null],
  ['20261129000000_column', 'is dated after 2026-11-28'],
  ['20261131093000_column', 'a date and a time that exist'],
  ['20261128256000_column', 'a date and a time that exist'],
  ['column', 'a date and a time that exist'],
])('of migrations of 2026-11-28, %s is judged: %s', (name, expected) => {
  const judged = judge(name, '2026-11-28');
  if (expected === null) expect(judged).toBeNull();
  else expect(judged).toContain(expected);
});

it.each(MIGRATION_NAMES)('the date of %s is real, and not after the day of its commit', (name) => {
  expect(judge(name, readDay(name))).toBeNull();
});
