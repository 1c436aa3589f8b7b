import { expect, it } from 'vitest';
import { NO_PHASES } from '@/lib/checks/result';
import { requestCheck } from '@/lib/domain/monitors/check-monitor';
import { useShardStory } from '@/lib/engine/testing/shard-story';
import { startProbe } from './testing/remote-story';

const { database, begin } = useShardStory();

const findings = { responseTime: 3, statusCode: 200, errorCode: null, errorMessage: null, phases: NO_PHASES };

it('requests reach the probes of their region at once, one of them only, and no other region stores their results', async () => {
  const { addMonitor, services, ctx, clock } = await begin();
  const { id } = await addMonitor({ regions: ['us-east', 'eu-west'] });
  const [here, twin, there] = [
    await startProbe(services, 'eu-west'),
    await startProbe(services, 'eu-west'),
    await startProbe(services, 'us-east'),
  ];
  const asked = [here, twin].map(({ exchange, keys }) =>
    exchange.request('takeRequests', { limit: 5, waitMs: 3000, publicKey: keys.publicKey }),
  );
  const { id: checkId } = await requestCheck(ctx, id);
  for (const { wakes } of [here, twin]) wakes.requests.ring();
  const first = await Promise.race(asked);
  expect(first.manualChecks.items).toMatchObject([
    { checkId, id, region: 'eu-west', target: { url: 'http://shop.test/' } },
  ]);

  const found = { checkedAt: clock.now().getTime(), outcome: 'ok' as const, findings };
  await there.exchange.request('storeManualCheck', { checkId, ...found });
  const countFinished = () =>
    database.db.manualCheck.count({ where: { id: checkId, finishedAt: { not: null } } });
  expect(await countFinished(), 'nobody has taken the one of us-east').toBe(0);
  await here.exchange.request('storeManualCheck', { checkId, ...found });
  expect(await countFinished()).toBe(1);
  const taken = (await Promise.all(asked)).flatMap(({ manualChecks }) => manualChecks.items);
  expect(taken).toHaveLength(1);
});
