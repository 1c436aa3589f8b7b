import { expect, it } from 'vitest';
import { listMonths, listQuarters, spanOf } from './history-calendar';

const now = new Date('2026-11-25T12:00:00Z');
const since = new Date('2025-10-21T12:00:00Z');

it('months are listed newest first, none before the first', () => {
  expect(listMonths('2026-10', '2026-11', 12)).toEqual(['2026-11', '2026-10']);
  expect(listMonths('2020-01', '2026-01', 3)).toEqual(['2026-01', '2025-12', '2025-11']);
});

it('quarters are those that are kept completely, the current one up to now', () => {
  const quarters = listQuarters({ first: '2020-01', now, since });
  expect(quarters.map(({ name }) => name)).toEqual(['2026-Q4', '2026-Q3', '2026-Q2', '2026-Q1']);
  expect(quarters[0]?.span).toEqual({ since: new Date('2026-10-01T00:00:00Z'), until: now });
  expect(quarters[1]?.span).toEqual({
    since: new Date('2026-07-01T00:00:00Z'),
    until: new Date('2026-10-01T00:00:00Z'),
  });
});

it('the first quarter is the one that the first month is in', () => {
  const quarters = listQuarters({ first: '2026-09', now, since });
  expect(quarters.map(({ name }) => name)).toEqual(['2026-Q4', '2026-Q3']);
});

it('the current month ends now', () => {
  expect(spanOf('2026-11', now).until).toEqual(now);
  expect(spanOf('2026-10', now).until).toEqual(new Date('2026-11-01T00:00:00Z'));
});
