import { onTestFinished } from 'vitest';
import { createHttpServer } from '@/bin/web/http-server';
import { createProbeListener } from '@/bin/web/probes';
import { createLogger } from '@/lib/core/logger';
import { createProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import type { useTestDatabase } from '@/lib/testing/database';
import { listenLocally } from '@/lib/testing/http-listener';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';

/** A service that serves probes at a real address until the test ends, an organization, and a token for Frankfurt. */
export async function serveProbes(
  database: ReturnType<typeof useTestDatabase>,
  limits: { requestsPerMinute?: number } = {},
) {
  const services = createTestServices({ db: database.db });
  await ensureResultPartitions(services.db, services.clock.now());
  const { ctx } = await createTestOrganization(services);
  const log = createLogger('silent', 'test');
  const probes = createProbeListener(
    {
      ...services,
      ...limits,
      log,
      serviceName: 'Pharos',
      addressOf: ({ socket }) => socket.remoteAddress ?? null,
    },
    database.url,
  );
  const { url, close } = await listenLocally(
    createHttpServer(probes.listener, { maxConnectionsPerAddress: 100, trustedProxies: [], log }),
  );
  onTestFinished(() => close().then(probes.stop));
  const { id: tokenId, token } = await createProbeToken(services, { region: 'eu-west', name: 'Test' });
  return { services, ctx, url, token, tokenId };
}
