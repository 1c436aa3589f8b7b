import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { beginDeliveryStory } from '@/lib/engine/testing/delivery-story';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { resolveOrphanedIncidents } from '@/lib/engine/upkeep/resolve-orphaned-incidents';
import { beginMaintenance, endMaintenance } from '@/lib/engine/upkeep/run-maintenance-windows';
import { type Listening, listen } from '@/lib/platform/db/listen';
import { noteLive } from '@/lib/platform/live/note-live';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { waitUntil } from '@/lib/testing/wait-for';

const database = useTestDatabase();
let listening: Listening;
let receiver: Receiver;
let heard: string[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  let isHearing = false;
  const onNotify = (_: string, text: string | null) => {
    if (text === null) isHearing = true;
    else heard.push(text);
  };
  listening = listen(database.url, ['pharos_live'], { onNotify, log: createLogger('silent', 'test') });
  await waitUntil(() => isHearing);
});
afterAll(() => Promise.all([listening?.stop(), receiver?.close()]));

/** The hints sent by `act`. */
async function hintsOf(act: () => Promise<unknown>): Promise<string[]> {
  await listening.catchUp();
  heard = [];
  await act();
  await listening.catchUp();
  return heard;
}

it('a batch of checks sends one hint each: changes if a status changed, results otherwise', async () => {
  const story = await beginStory(database.db);
  for (let count = 0; count < 3; count++) await story.addMonitor({ alertThreshold: 1, regions: ['us-east'] });
  const { organizationId } = story;
  expect(await hintsOf(() => story.check(OK, { afterMs: 0 }))).toEqual([`changes ${organizationId}`]);
  expect(await hintsOf(() => story.check(OK))).toEqual([`results ${organizationId}`]);
});

it('actions of a worker send a change hint', async () => {
  const story = await beginStory(database.db);
  const { ctx, services, organizationId } = story;
  const { id } = await story.addMonitor({ alertThreshold: 1, regions: ['us-east'] });
  const changes = [`changes ${organizationId}`];
  await story.check(OK, { afterMs: 0 });
  await story.check(FAILED);
  await updateMonitor(ctx, id, { enabled: false });
  expect(await hintsOf(() => resolveOrphanedIncidents(services))).toEqual(changes);
  await updateMonitor(ctx, id, { enabled: true });
  expect(await hintsOf(() => database.db.$transaction((tx) => beginMaintenance(tx, services, [id])))).toEqual(
    changes,
  );
  const end = () => database.db.$transaction((tx) => endMaintenance(tx, services, [id]));
  expect(await hintsOf(end)).toContain(`changes ${organizationId}`);
  expect(await hintsOf(() => deleteMonitor(ctx, id)), 'and actions of people').toEqual(changes);
});

it('a finished attempt sends a hint', async () => {
  const story = await beginDeliveryStory(database.db, receiver);
  expect(
    await hintsOf(async () => {
      await story.emit();
      await story.send();
    }),
  ).toContain(`deliveries ${story.organizationId}`);
});

it('a rollback sends no hint', async () => {
  const undo = () =>
    database.db.$transaction(async (tx) => {
      await noteLive(tx, [{ kind: 'changes', organizationIds: ['org_1'] }]);
      throw new Error('undone');
    });
  expect(await hintsOf(() => expect(undo()).rejects.toThrow('undone'))).toEqual([]);
});
