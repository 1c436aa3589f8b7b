import { DEFAULT_WORKER_PORT, type Environment } from '@/lib/env';
import type { InngestServer } from '../inngest-server';

type Settings = Pick<Environment, 'APP_URL' | 'PORT' | 'WORKER_URL' | 'WORKER_PORT'>;

/**
 * The address under which Inngest probably reaches this worker: where a web process passes calls on, the service's own, and
 * the public one of it for an Inngest that is elsewhere.
 */
export function likelyOrigin(
  { APP_URL, PORT, WORKER_URL, WORKER_PORT }: Settings,
  { isDev, baseUrl }: Pick<InngestServer, 'isDev' | 'baseUrl'>,
): string {
  if (WORKER_URL === undefined) return `http://localhost:${WORKER_PORT ?? DEFAULT_WORKER_PORT}`;
  const isBesideUs =
    isDev || /^(localhost|127\..*|\[::1\])$/.test(baseUrl === undefined ? '' : new URL(baseUrl).hostname);
  return (isBesideUs ? undefined : APP_URL) ?? `http://localhost:${PORT}`;
}
