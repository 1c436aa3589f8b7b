import { beforeEach, describe, expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { mailDueDigests } from './mail-digests';
import { beginDigestStory, type DigestStory, HOUR, MONDAY } from './testing/digest-story';

const database = useTestDatabase();
let story: DigestStory;

beforeEach(async () => {
  await database.db.digestMail.deleteMany();
  story = await beginDigestStory(database.db);
});

describe('each member gets one a week', () => {
  it('from several workers', async () => {
    await story.addMonitor('Shop');
    await story.choose();
    for (let member = 0; member < 20; member++) await story.addMember('UTC');
    const other = await beginDigestStory(database.db, story.clock);
    await other.addMonitor('Blog');
    await other.choose();
    story.clock.set(MONDAY);
    await Promise.all(Array.from({ length: 4 }, () => mailDueDigests(story.services)));
    const recipients = (await story.listMails()).map(({ to }) => to);
    expect([recipients.length, new Set(recipients).size]).toEqual([21, 21]);
    expect(await other.listMails()).toHaveLength(1);
  });

  it('when a worker is so slow that another one takes over, and both finish', async () => {
    await story.addMonitor('Shop');
    await story.choose();
    story.clock.set(MONDAY);
    // The first one has claimed the digest and waits for the report.
    let late: Promise<number> | undefined;
    await database.db.$transaction(async (holder) => {
      await holder.$executeRaw`LOCK TABLE incident IN ACCESS EXCLUSIVE MODE`;
      late = mailDueDigests(story.services);
      const blocked = () => holder.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(blocked).toHaveLength(1);
      await holder.$executeRaw`UPDATE digest_mail SET next_at = ${MONDAY}`;
    });
    expect(await Promise.all([mailDueDigests(story.services), late])).toEqual([1, 1]);
    expect(await story.listMails()).toHaveLength(1);
  });

  it('also after a worker crashed: it is sent again only if the mail was not queued', async () => {
    await story.addMonitor('Shop');
    await story.choose();
    story.clock.set(MONDAY);
    const broken = { ...story.services, keyring: { ...story.services.keyring, seal: () => fail() } };
    await expect(mailDueDigests(broken)).rejects.toThrow('could not mail the digest');
    expect(await mailDueDigests(story.services), 'not at once').toBe(0);
    story.clock.advance(HOUR);
    await mailDueDigests(story.services);
    expect(await story.listMails()).toHaveLength(1);
    await database.db.digestMail.updateMany({ data: { nextAt: MONDAY } });
    await mailDueDigests(story.services);
    expect(await story.listMails()).toHaveLength(1);
  });

  it('also after they moved to another time zone, or turned it off and on again', async () => {
    await story.addMonitor('Shop');
    await story.choose('Pacific/Auckland');
    story.clock.set(new Date('2026-11-29T19:00:00.000Z'));
    await mailDueDigests(story.services);
    await story.choose('America/Los_Angeles');
    await story.choose(null);
    await story.choose('America/Los_Angeles');
    story.clock.set(new Date('2026-11-30T16:00:00.000Z'));
    expect(await mailDueDigests(story.services)).toBe(1);
    expect(await story.listMails()).toHaveLength(1);
    story.clock.set(new Date('2026-12-07T16:00:00.000Z'));
    await mailDueDigests(story.services);
    expect(await story.listMails()).toHaveLength(2);
  });

  it('whatever fails for other organizations', async () => {
    await story.addMonitor('Shop');
    await story.choose();
    const other = await beginDigestStory(database.db, story.clock);
    await other.addMonitor('Blog');
    await other.choose();
    await database.db
      .$executeRaw`UPDATE digest_mail SET time_zone = 'Nowhere/Nothing' WHERE user_id = ${story.userId}`;
    story.clock.set(MONDAY);
    await expect(mailDueDigests(story.services)).rejects.toThrow('could not mail the digest');
    expect(await other.listMails()).toHaveLength(1);
  });
});

function fail(): never {
  throw new Error('crashed');
}
