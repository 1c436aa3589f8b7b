import { expect, it } from 'vitest';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { readReasons } from '@/lib/domain/incidents/read-incident-log';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { useTestDatabase } from '@/lib/testing/database';

const database = useTestDatabase();

it('every update written by the engine has its reason in the ledger, found by its timestamp', async () => {
  const story = await beginStory(database.db);
  await story.addMonitor({ alertThreshold: 2 });
  await story.check(OK);
  await story.check(FAILED);
  await story.check(FAILED);
  await story.check(OK);
  const found = await database.db.incident.findFirstOrThrow({
    where: { organizationId: story.organizationId },
  });
  const { updates } = await getIncident(story.ctx, found.id);
  const reasons = await readReasons(story.ctx, found.id);
  expect(updates.map(({ status, author, createdAt }) => [status, author, reasons[createdAt]])).toEqual([
    ['resolved', null, expect.stringMatching(/./)],
    [
      'investigating',
      null,
      expect.stringContaining('failed 2 checks in a row: responded with 503, expected 200'),
    ],
  ]);
});

it('a manually opened incident has none', async () => {
  const { ctx } = await beginStory(database.db);
  const { id } = await createIncident(ctx, createIncidentSchema.parse({ title: 'Slow' }));
  expect(await readReasons(ctx, id)).toEqual({});
});
