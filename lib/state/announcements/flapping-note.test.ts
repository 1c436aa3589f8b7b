import { expect, it } from 'vitest';
import {
  type FlappingNote,
  formatFlappingKey,
  formatFlappingText,
  formatFlappingTitle,
} from './flapping-note';

const about = { monitor: { id: 'mon_1', name: 'Shop' }, at: '2026-03-01T14:20:00.000Z', key: 'x' };
const none = { count: 0, ms: 0 };
type Ended = Extract<FlappingNote, { kind: 'ended' }>;
const ended = (fields: Partial<Ended>): FlappingNote => ({
  ...about,
  kind: 'ended',
  end: 'steady',
  status: 'operational',
  since: '2026-03-01T14:05:00.000Z',
  down: { count: 7, ms: 720_000 },
  degraded: none,
  ...fields,
});
const format = (note: FlappingNote) => [formatFlappingTitle(note), formatFlappingText(note)];

it('says when the next message comes', () => {
  expect(format({ ...about, kind: 'began' })).toEqual([
    'is flapping',
    '5 changes in the last 10 minutes. You get the next message once it has been steady for 10 minutes.',
  ]);
});

it.each<[Partial<Ended>, string, string]>([
  [{}, 'is steady again: operational since 2026-03-01 14:05 UTC', 'It was down 7 times, 12m in total.'],
  [
    { down: { count: 1, ms: 65_000 } },
    'is steady again: operational since 2026-03-01 14:05 UTC',
    'It was down once, 1m in total.',
  ],
  [{ down: none }, 'is steady again: operational since 2026-03-01 14:05 UTC', ''],
  [
    { down: none, degraded: { count: 3, ms: 90_000 } },
    'is steady again: operational since 2026-03-01 14:05 UTC',
    'It was degraded 3 times, 1m in total.',
  ],
  [
    { status: 'down' },
    'is down since 2026-03-01 14:05 UTC',
    'Before that, it was down 7 times, 12m in total.',
  ],
  [
    { status: 'degraded' },
    'is degraded since 2026-03-01 14:05 UTC',
    'Before that, it was down 7 times, 12m in total.',
  ],
  [
    { end: 'paused', status: 'down' },
    'is no longer flapping: it was paused',
    'It was down then. Before that, it was down 7 times, 12m in total.',
  ],
  [
    { end: 'deleted', status: 'down', down: none },
    'is no longer flapping: it was deleted',
    'It was down then.',
  ],
  [
    { end: 'maintenance' },
    'is no longer flapping: it is in maintenance',
    'It was down 7 times, 12m in total.',
  ],
])('says what became of it: %o', (fields, title, text) => {
  expect(format(ended(fields))).toEqual([title, text]);
});

it('has a key for each time', () => {
  expect(formatFlappingKey('mon_1', new Date(0))).toBe('flapping mon_1 1970-01-01T00:00:00.000Z');
});
