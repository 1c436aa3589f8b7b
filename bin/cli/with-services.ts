import { checkSecretKey } from '@/lib/domain/context/check-secret-key';
import { createServices } from '@/lib/domain/context/create-services';
import type { Services } from '@/lib/domain/context/services';
import { type Environment, getEnvironment } from '@/lib/env';
import { openDatabase } from './open-database';

/** Runs a command's work against the database, whether the service is running or not. */
export async function withServices<T>(
  work: (services: Services, environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = getEnvironment();
  const { url, keys, close } = await openDatabase(environment);
  const services = createServices({ ...environment, ...keys, DATABASE_URL: url }, 'pharos command');
  try {
    await services.clock.measure();
    await checkSecretKey(services);
    return await work(services, environment);
  } finally {
    await services.db.$disconnect();
    await close();
  }
}

/** What a command answers: one JSON object on stdout, nothing else. */
export function printResult(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
