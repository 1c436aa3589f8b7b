import { expect, it } from 'vitest';
import { moveItem } from '../page-values';
import { addLink, sentAnnouncement, sentLinks } from './brand-values';

it('links keep their keys while they move, and are sent in order without them', () => {
  const [one, two] = addLink(addLink([]));
  if (!one || !two) throw new Error('no links');
  const links = [{ ...one, label: ' One ', url: 'https://one.test' }, two];
  const moved = moveItem(links, 0, 1);
  expect(moved.map(({ key }) => key)).toEqual([two.key, one.key]);
  expect(sentLinks(moved)[1]).toEqual({ label: 'One', url: 'https://one.test', place: 'footer' });
  expect(addLink([two]).at(-1)?.key).not.toBe(two.key);
});

it('an announcement without a text is none', () => {
  expect(sentAnnouncement({ text: ' ', url: 'https://a.test', endsAt: '' })).toBeNull();
  const endsAt = '2026-07-01T08:30:00.000Z';
  expect(sentAnnouncement({ text: ' We move. ', url: ' ', endsAt })).toEqual({
    text: 'We move.',
    url: null,
    endsAt,
  });
});
