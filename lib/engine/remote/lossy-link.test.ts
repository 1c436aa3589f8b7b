import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { useShardStory } from '@/lib/engine/testing/shard-story';
import { OK } from '@/lib/engine/testing/story';
import { createRemoteRecorder } from './remote-recorder';
import { startProbe } from './testing/remote-story';

const { database, begin } = useShardStory();
const MONITORS = 50;
const ROUNDS = 6;
/** Every fifth request does not arrive, and the response of every third is lost. */
const [LOST_REQUEST, LOST_RESPONSE] = [5, 3];

it('over a link that loses requests and responses, every result is stored once', async () => {
  const { addMany, services, clock } = await begin();
  await addMany(MONITORS);
  let requests = 0;
  let lost = 0;
  let isLossy = false;
  const lose = () => {
    lost += 1;
    throw new Error('socket hang up');
  };
  const { keeper, exchange } = await startProbe(services, 'us-east', async (deliver) => {
    requests += 1;
    const number = requests;
    if (!isLossy) return deliver();
    if (number % LOST_REQUEST === 0) lose();
    const response = await deliver();
    await delay(20);
    return number % LOST_RESPONSE === 0 ? lose() : response;
  });
  const recorder = createRemoteRecorder(exchange, clock, createLogger('silent', 'test'));
  await keeper.sync();
  isLossy = true;
  let checks = 0;
  for (let round = 0; round < ROUNDS; round++) {
    while (
      !(await keeper.sync().then(
        () => true,
        () => false,
      ))
    );
    const due = keeper.takeDue(1000);
    const added = due.map((check) => recorder.add({ check, startedAt: clock.now(), result: OK }));
    expect(await Promise.all(added)).not.toContain(false);
    for (const check of due) keeper.giveBack(check);
    checks += due.length;
    clock.advance(61_000);
  }
  expect(lost).toBeGreaterThan(3);
  expect(checks).toBeGreaterThan((MONITORS * ROUNDS) / 2);
  const [stored] = await database.db.$queryRaw<{ rows: number; slots: number }[]>`
    SELECT count(*)::int AS rows, count(DISTINCT (monitor, checked_at))::int AS slots
      FROM raw.check_result JOIN monitor ON monitor.number = monitor`;
  expect(stored).toEqual({ rows: checks, slots: checks });
});
