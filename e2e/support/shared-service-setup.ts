import { findFreePort } from '@/lib/core/ports';
import { startService } from './start-service';

/**
 * Starts the service of all specs, which takes as long as several of them, before the first worker of Playwright. It has an address of
 * its own: browsers have passkeys for names only. Playwright calls the returned function at the end.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const port = String(await findFreePort());
  const service = await startService({ env: { PORT: port, APP_URL: `http://localhost:${port}` } });
  const { dataDir } = service;
  // biome-ignore lint/style/noProcessEnv: how Playwright hands on what is set up to its workers
  process.env.SHARED_SERVICE = JSON.stringify({ url: `http://localhost:${port}`, dataDir });
  return service.stop;
}
