import { expect, it } from 'vitest';
import { judge } from './report';
import type { Sample } from './sample';

const SETTING = { monitors: 5, minutes: 60, cycle: 10, interval: 60 };

/** An hour of an installation; `change` overrides what is measured at a minute. */
function anHour(change: (minute: number) => Partial<Sample> = () => ({})): Sample[] {
  const held = { megabytes: 100, handles: 20 };
  return Array.from({ length: 360 }, (_, index) => {
    const minute = index / 6;
    return {
      minute,
      processes: { launcher: held, web: held, worker: held, database: held },
      connections: 5,
      partitions: 38,
      pending: 0,
      down: minute % 10 < 4 ? 5 : 0,
      arrived: minute < 10 ? 0 : 1,
      twice: 0,
      health: 'ok',
      page: '200',
      ...change(minute),
    };
  });
}

const growing = (megabytes: number) => {
  const held = { megabytes, handles: 20 };
  return { processes: { launcher: held, web: held, worker: held, database: { ...held, megabytes: 100 } } };
};

it('an installation that takes what it took is well', () => {
  expect(judge(anHour(), SETTING).broken).toEqual([]);
});

it('what grows after the first twenty minutes is found, and what grew in them is not', () => {
  expect(
    judge(
      anHour((minute) => growing(100 + Math.min(minute, 20) * 5)),
      SETTING,
    ).broken,
  ).toEqual([]);
  expect(
    judge(
      anHour((minute) => growing(100 + minute)),
      SETTING,
    ).broken,
  ).toEqual([
    expect.stringContaining('worker, MB'),
    expect.stringContaining('web, MB'),
    expect.stringContaining('launcher, MB'),
  ]);
});

it('a run that was too short to judge anything is no success', () => {
  const broken = judge(anHour().slice(0, 100), SETTING).broken;
  expect(broken).toContainEqual(expect.stringContaining('worker, MB'));
  expect(broken).toContainEqual(expect.stringContaining('outages'));
});

it('an outage that not all monitors saw, a webhook that came twice or never, and a page that was not there are found', () => {
  const broken = (change: Partial<Sample>) =>
    judge(
      anHour((minute) => (minute > 45 ? change : {})),
      SETTING,
    ).broken;
  expect(broken({ down: 4 })).toEqual([expect.stringContaining('down at once')]);
  expect(broken({ arrived: 0 })).toEqual([expect.stringContaining('the least of a cycle')]);
  expect(broken({ twice: 1 })).toEqual([expect.stringContaining('arrived twice')]);
  expect(broken({ pending: 1 })).toEqual([expect.stringContaining('pending')]);
  expect(broken({ page: '503' })).toEqual([expect.stringContaining('page')]);
  expect(broken({ health: 'down' })).toEqual([expect.stringContaining('health')]);
});
