import { createServices, type Services } from '@/lib/domain/context/services';
import { parseEnvironment } from '@/lib/env';
import { findRunningPostgres, readSecrets } from '@/lib/platform/postgres';

/** The services needed to call domain operations on the database of a running service. */
export type ServiceAccess = { services: Services; close(): Promise<void> };

/** Connects to the embedded database of the service that runs in `dataDir`. `variables` are further ones of its environment. */
export async function openServices(
  dataDir: string,
  variables: Record<string, string> = {},
): Promise<ServiceAccess> {
  const [running, secrets] = await Promise.all([findRunningPostgres(dataDir), readSecrets(dataDir)]);
  if (!running || !secrets) throw new Error(`no service runs in ${dataDir}`);
  const settings = {
    DATABASE_URL: running.url,
    SECRET_KEY: secrets.secretKey,
    DATABASE_POOL: '4',
    ...variables,
  };
  const services = createServices(parseEnvironment(settings), 'pharos e2e');
  await services.clock.measure();
  return { services, close: () => services.db.$disconnect() };
}
