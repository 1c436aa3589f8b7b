import { expect, it, onTestFinished, vi } from 'vitest';
import { beginDeliveryStory } from '@/lib/engine/testing/delivery-story';
import { createDatabase } from '@/lib/platform/db/client';
import { exportTraces } from '@/lib/platform/tracing/export-traces';
import { startCollector } from '@/lib/platform/tracing/testing/collector';
import { useTestDatabase } from '@/lib/testing/database';
import { startReceiver } from '@/lib/testing/receiver';

const database = useTestDatabase();

it('an attempt to deliver is a span that the receiver learns nothing about', async () => {
  const [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  const stop = exportTraces('pharos-worker', { warn: vi.fn(), info: vi.fn() });
  const db = createDatabase(database.url, { poolSize: 4, name: 'traced deliveries' });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await stop();
    await Promise.all([collector.close(), receiver.close(), db.$disconnect()]);
  });
  receiver.respondWith(204);
  const story = await beginDeliveryStory(db, receiver);
  await story.emit();
  await story.send();
  await stop();
  const [request] = story.requests();
  expect(collector.spans.filter(({ name }) => name === 'delivery')).toMatchObject([
    {
      kind: 3,
      attributes: {
        'pharos.delivery.id': request?.headers['x-service-delivery-id'],
        'pharos.event.id': request?.headers['x-service-event-id'],
        'http.response.status_code': expect.anything(),
      },
    },
  ]);
  expect(Object.keys(request?.headers ?? {})).not.toContain('traceparent');
});
