import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { useTestDatabase } from '@/lib/testing/database';
import { beginFlapping } from './testing/flapping-story';

const database = useTestDatabase();
const DOWN_AT_THE_END = ['down, and ends with that outage', 6, 1] as const;
const begin = () => beginFlapping(database.db);

describe('an alert of a monitor that flaps', () => {
  it.each(sized([1], { thorough: [0, 1, 5] }))(
    'stays open until it is steady and operational, %i changes after it began to flap',
    async (more) => {
      const story = await begin();
      await story.flap(5);
      const before = await story.alerts();
      expect(before).toHaveLength(2);
      const sent = (await story.kinds('pagerduty')).length;
      await story.flap(more, { isDown: true });
      if (more % 2 === 0) await story.flap(1, { isDown: true });
      expect(await story.alerts()).toEqual(before);
      expect(await story.kinds('pagerduty')).toHaveLength(sent);
      await story.rest(10);
      expect(await story.alerts()).toEqual([]);
    },
  );

  it('whose end is what makes the monitor flap stays open as well', async () => {
    const story = await begin();
    await story.flap(1);
    await story.rest(60);
    await story.flap(5, { isDown: true });
    expect(await story.alerts()).toHaveLength(2);
    await story.rest(10);
    expect(await story.alerts()).toEqual([]);
  });

  it('is that of the current incident if the monitor is steady and down, and ends with it', async () => {
    const story = await begin();
    await story.flap(9);
    await story.rest(10);
    const open = (await story.incidents()).at(-1);
    expect((await story.alerts()).toSorted()).toEqual([open?.id, story.idOf('Shop')].toSorted());
    await story.flap(1, { isDown: true });
    expect(await story.alerts()).toEqual([]);
  });

  it.each(sized([DOWN_AT_THE_END], { thorough: [['operational', 7, 0], DOWN_AT_THE_END] }))(
    'ends for an endpoint whose rules name no ends, once it is steady and %s',
    async (_, more, last) => {
      const story = await begin();
      const alerting = { kinds: ['monitor.down', 'incident.created'] };
      await story.limit('pagerduty', [alerting]);
      await story.flap(5);
      expect(await story.alerts()).toHaveLength(2);
      await story.flap(more, { isDown: true });
      await story.rest(10);
      await story.flap(last, { isDown: true });
      expect(await story.alerts()).toEqual([]);
    },
  );

  it.each(
    sized([['operational', 6, 0]], {
      thorough: [
        ['operational', 10, 0],
        ['down, and ends with that outage', 9, 1],
      ],
    }),
  )('ends at a time at which no rule matches, once it is steady and %s', async (_, changes, last) => {
    const story = await begin();
    await story.limit('pagerduty', [{ schedule: { from: '12:00', to: '12:08', timeZone: 'UTC' } }]);
    await story.flap(changes);
    await story.rest(10);
    await story.flap(last, { isDown: true });
    expect(await story.alerts()).toEqual([]);
  });

  it('is none for an endpoint whose rules do not match the monitor', async () => {
    const story = await begin();
    await story.limit('pagerduty', [{ tags: ['other'] }]);
    await story.flap(9);
    await story.rest(10);
    expect(await story.kinds('pagerduty')).toEqual([]);
  });
});
