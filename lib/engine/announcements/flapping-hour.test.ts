import { afterAll, beforeAll, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { mailDueNotices } from '@/lib/engine/mail/mail-notices';
import { FAILED } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { endSteady } from './end-flapping';
import { beginFlapping } from './testing/flapping-story';

const database = useTestDatabase();
let counting: ReturnType<typeof openCountingDatabase>;
beforeAll(() => {
  counting = openCountingDatabase(database.url);
});
afterAll(() => counting.db.$disconnect());

/** Two outages and their ends, that the monitor flaps, and how that ended. */
const MAX_MESSAGES = 6;
/** Where they can be edited: one for the outages, and one about flapping. */
const MAX_POSTS = 2;

/** Lets monitors change every minute, and counts what was sent about each. */
async function flapFor(minutes: number, monitors: number) {
  const names = Array.from({ length: monitors }, (_, index) => `Shop ${index}`);
  const story = await beginFlapping(database.db, { names });
  const { organizationId, endpoints } = story;
  const mail = () => mailDueNotices(story.services, { groupSeconds: 0, appUrl: null });
  for (let minute = 0; minute < minutes; minute++) {
    await story.flap(1, { isDown: minute % 2 === 1 });
    await mail();
  }
  await story.rest(10);
  await mail();
  const deliveries = await database.db.$queryRaw<
    { endpoint: string; monitors: number; least: number; most: number; posts: number }[]
  >`
    SELECT endpoint_id AS endpoint, count(*)::int AS monitors, min(deliveries)::int AS least, max(deliveries)::int AS most,
           max(messages)::int AS posts
      FROM (SELECT endpoint_id, monitor_id, count(*) AS deliveries, count(DISTINCT message_key) AS messages
              FROM delivery JOIN event_monitor USING (event_id) WHERE organization_id = ${organizationId} GROUP BY 1, 2) AS counted
     GROUP BY 1`;
  const notices = await database.db.memberNotice.groupBy({
    by: ['subjectId'],
    where: { organizationId },
    _count: true,
  });
  const to = (endpoint: string) => deliveries.find((row) => row.endpoint === endpoint);
  return {
    chat: to(endpoints.chat),
    bot: to(endpoints.bot),
    standard: to(endpoints.standard),
    notices: notices.map(({ _count }) => _count),
    mails: await database.db.mail.count({ where: { organizationId, kind: 'alert' } }),
  };
}

/** An hour of 500 monitors has the same counts. */
it.each(
  sized([[8, 3]], {
    thorough: [
      [60, 20],
      [6, 150],
    ],
  }),
)(
  `for %i minutes, %i monitors are at most ${MAX_MESSAGES} messages and emails each, or ${MAX_POSTS} that are edited; programs get every event`,
  async (minutes = 0, monitors = 0) => {
    const { chat, bot, standard, notices, mails } = await flapFor(minutes, monitors);
    expect(chat).toMatchObject({ monitors, least: MAX_MESSAGES, most: MAX_MESSAGES });
    expect(bot).toMatchObject({ monitors, most: MAX_MESSAGES, posts: MAX_POSTS });
    // In two minutes, an outage, its incident, and the end of the outage.
    const events = (minutes / 2) * 3;
    expect(standard).toMatchObject({ monitors, least: events, most: events });
    expect(notices).toEqual(Array.from({ length: monitors }, () => MAX_MESSAGES));
    // One for all monitors each time.
    expect(mails).toBe(MAX_MESSAGES);
  },
);

/** The statements of a change that begins flapping, of one that continues it, and of its end. */
async function countStatements(monitors: number) {
  const names = Array.from({ length: monitors }, (_, index) => `Shop ${index}`);
  const story = await beginFlapping(database.db, { names });
  const services = { ...story.services, db: counting.db };
  const countChange = async () => {
    story.clock.advance(60_000);
    await database.db.probeSchedule.updateMany({ data: { nextCheckAt: story.clock.now() } });
    const ids = names.map(story.idOf);
    const due = (await story.take()).filter(({ monitor }) => ids.includes(monitor.id));
    const startedAt = story.clock.now();
    story.clock.advance(1);
    expect(due).toHaveLength(monitors);
    return counting.count(() =>
      recordResults(
        services,
        due.map((check) => ({ check, startedAt, result: FAILED })),
      ),
    );
  };
  const single = await countChange();
  await story.flap(3, { isDown: true });
  await story.flap(1, { isDown: false });
  await story.flap(1, { isDown: true });
  const continued = await countChange();
  story.clock.advance(600_000);
  const ended = await counting.count(() => endSteady(services));
  return { single, continued, ended };
}

it('takes a statement more to find that monitors flap, one to store it, and a fixed number to end it', async () => {
  const few = await countStatements(2);
  expect(few.continued - few.single).toBeLessThanOrEqual(1);
  expect(await countStatements(sized(6, { thorough: 30 }))).toEqual(few);
});
