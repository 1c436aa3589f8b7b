import type { Environment } from '@/lib/env';
import type { InngestServer } from '../inngest-server';

/** `workerPort`: where the worker listens. */
type Settings = Pick<Environment, 'APP_URL' | 'PORT' | 'WORKER_URL'> & { workerPort: number };

/**
 * The address under which Inngest probably reaches this worker: where a web process passes calls on, the service's own, and
 * the public one of it for an Inngest that is elsewhere.
 */
export function likelyOrigin(
  { APP_URL, PORT, WORKER_URL, workerPort }: Settings,
  { isDev, baseUrl }: Pick<InngestServer, 'isDev' | 'baseUrl'>,
): string {
  if (WORKER_URL === undefined) return `http://localhost:${workerPort}`;
  const isBesideUs =
    isDev || /^(localhost|127\..*|\[::1\])$/.test(baseUrl === undefined ? '' : new URL(baseUrl).hostname);
  return (isBesideUs ? undefined : APP_URL) ?? `http://localhost:${PORT}`;
}
