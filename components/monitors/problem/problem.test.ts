import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Vote } from '@/lib/domain/monitors/read-standings';
import { formatDistance } from './change-list';
import { NotifiedList } from './notified-list';
import { formatRun, summarizeVotes, VoteTable } from './vote-table';

const refused = { code: 'connection_refused', message: 'connection refused' };
const vote = (change: Partial<Vote>): Vote => ({
  region: 'us-east',
  verdict: 'good',
  failures: 0,
  slows: 0,
  goods: 1,
  vote: true,
  error: null,
  ...change,
});
const failing = vote({ verdict: 'failing', failures: 3, error: refused });

it('an outage whose incident was resolved or deleted does not say that nobody was notified', () => {
  const now = new Date('2026-03-10T12:00:00.000Z');
  const nobody = { endpoints: [], members: [], suppressedBy: null };
  const read = (notified: typeof nobody | null) => renderToStaticMarkup(NotifiedList({ notified, now }));
  expect(read(nobody)).toContain('Nobody has been notified');
  expect(read(null)).not.toContain('Nobody');
  expect(read(null)).toContain('href="/notifications/deliveries"');
});

describe('the votes of regions in a sentence', () => {
  it.each([
    [[failing], 'us-east is failing: connection refused'],
    [[{ ...failing, region: 'loc_101' }], 'Office is failing: connection refused'],
    [[failing, vote({}), failing], '2 of 3 regions are failing: connection refused'],
    [[vote({ verdict: 'slow' }), vote({})], '1 of 2 regions are slow'],
    [[vote({ ...failing, vote: false }), vote({})], null],
  ])('%#', (votes, expected) => expect(summarizeVotes(votes, { loc_101: 'Office' })).toBe(expected));
});

it('of regions that are one place, a sentence counts checks, and the table shows the worst once', () => {
  const names = { 'us-east': 'This machine', 'eu-west': 'This machine' };
  const votes = [vote({}), { ...failing, region: 'eu-west' }];
  expect(summarizeVotes(votes, names)).toBe('1 of 2 checks are failing: connection refused');
  const html = renderToStaticMarkup(VoteTable({ votes, latest: [], names, now: new Date() }));
  expect(html.match(/This machine/g)).toHaveLength(1);
  expect(html).toMatch(/This machine \(2 checks\).*Failing.*3 failed in a row/);
});

it('checks in a row are counted where they agree on a problem', () => {
  expect([failing, vote({ slows: 2 }), vote({})].map(formatRun)).toEqual([
    '3 failed in a row: ',
    '2 slow in a row: ',
    '',
  ]);
});

it('a change is placed before or after the begin of the problem', () => {
  const since = new Date('2026-03-10T03:04:10Z');
  const at = (seconds: number) => new Date(since.getTime() + seconds * 1000);
  expect([-240, 0, 90].map((seconds) => formatDistance(at(seconds), since))).toEqual([
    '4m before',
    '0s before',
    '1m after',
  ]);
});
