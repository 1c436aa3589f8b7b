import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { createProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { createRegion } from '@/lib/domain/regions/change-region';
import { listen } from '@/lib/platform/db/listen';
import type { RegionId } from '@/lib/schemas/regions';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { forgetPresence, notePresence } from './serve/note-presence';

const database = useTestDatabase();

it('open dashboards are notified of each stored report from an own region, and of a probe that stops there', async () => {
  const clock = createManualClock(new Date('2026-03-01T12:00:00.000Z'));
  const services = createTestServices({ db: database.db, clock });
  const { ctx, organizationId } = await createTestOrganization(services);
  const own = await createRegion(ctx, { name: 'Hamburg office', place: 'hamburg' });
  const heard: string[] = [];
  let isListening = false;
  const listening = listen(database.url, ['pharos_live'], {
    onNotify: (_, payload) => {
      if (payload === null) isListening = true;
      else heard.push(payload);
    },
    log: createLogger('silent', 'test'),
  });
  onTestFinished(() => listening.stop());
  await expect.poll(() => isListening).toBe(true);

  const start = async (region: RegionId) => {
    const { id: tokenId } = await createProbeToken(services, { region, name: 'Test' });
    const runner = { region, workerId: `${tokenId}/${randomUUID()}`, tokenId, address: null };
    const startedAt = clock.now().getTime();
    const report = { machine: { id: region, host: region }, startedAt, cutOffAt: null, pendingMs: null };
    return {
      note: () => notePresence(services, runner, report),
      end: () => forgetPresence(services, runner),
    };
  };
  const [ours, operators] = [await start(own.id), await start('eu-west')];
  for (const { note } of [operators, ours]) await note();
  const hint = `probes ${organizationId}`;
  await expect.poll(() => heard).toEqual([hint]);
  // Not stored again so soon.
  await ours.note();
  clock.advance(3000);
  await ours.note();
  for (const { end } of [operators, ours]) await end();
  await expect.poll(() => heard).toEqual([hint, hint, hint]);
});
