import { expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { setMonitorsEnabled } from '@/lib/domain/monitors/change-selected';
import {
  createCorrection,
  deleteCorrection,
  listCorrections,
} from '@/lib/domain/monitors/corrections/change-corrections';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { beginGroupStory } from './testing/group-story';

const database = useTestDatabase();

/** A group of a group that was down for some minutes with its only member. */
async function begin() {
  const story = await beginGroupStory(database.db);
  const [member = ''] = await story.addMembers(1);
  const inner = await story.addGroup([member]);
  const outer = await story.addGroup([inner]);
  await story.report({ [member]: OK });
  await story.report({ [member]: FAILED }, { afterMs: 600_000 });
  const [from, to] = [story.clock.now(), new Date(story.clock.now().getTime() + 600_000)];
  await story.report({ [member]: OK }, { afterMs: 600_000 });
  story.clock.advance(600_000);
  const uptimes = async () =>
    Promise.all([member, inner, outer].map(async (id) => (await story.read(id)).uptimePercentage));
  const correct = (id: string, state: 'operational' | 'maintenance' | 'down') =>
    createCorrection(story.ctx, id, { from, to, state, reason: 'The probe was wrong' });
  return { ...story, member, inner, outer, uptimes, correct };
}

it('a correction of a member reaches its group, and the groups around that, until it is deleted', async () => {
  const story = await begin();
  const { member, inner, outer, ctx } = story;
  const measured = await story.uptimes();
  expect(new Set(measured).size).toBe(1);
  expect(measured[0]).toBeLessThan(100);
  const { id } = await story.correct(member, 'operational');
  await story.judge();
  expect(await story.uptimes()).toEqual([100, 100, 100]);
  expect((await story.read(outer)).measuredUptimePercentage).toBe(measured[2]);
  // Nobody made these.
  expect(await listCorrections(ctx, inner)).toEqual([]);
  const derived = await database.db.ledgerCorrection.findFirstOrThrow({ where: { monitorId: inner } });
  expect(await deleteCorrection(ctx, inner, derived.id).catch((error: unknown) => error)).toBeInstanceOf(
    DomainError,
  );
  await deleteCorrection(ctx, member, id);
  await story.judge();
  expect(await story.uptimes()).toEqual(measured);
});

it('a correction of the group itself wins over what follows from its members', async () => {
  const story = await begin();
  const { member, inner } = story;
  await story.correct(member, 'operational');
  await story.judge();
  await story.correct(inner, 'down');
  await story.judge();
  const [own, of, around] = await story.uptimes();
  expect(own).toBe(100);
  expect(of).toBeLessThan(100);
  expect(around).toBe(of);
});

it('a correction reaches a group that is paused by now', async () => {
  const story = await begin();
  await setMonitorsEnabled(story.ctx, [story.inner], false);
  await story.judge();
  await story.correct(story.member, 'maintenance');
  await story.judge();
  expect((await story.read(story.inner)).uptimePercentage).toBe(100);
});
