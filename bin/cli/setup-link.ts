import type { Command } from 'commander';
import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { isSetUpOpen, setUpPath } from '@/lib/domain/organizations/create-organization';
import type { Environment } from '@/lib/env';
import { printResult, withServices } from './open-database';
import { publicUrl } from './paths';

/** `pharos setup-link`. */
export function registerSetupLink(program: Command): void {
  program
    .command('setup-link')
    .description('Show the link that sets up a fresh install, the one that "start" printed; prints {url}.')
    .action(async () => {
      printResult({ url: await withServices(readSetupLink) });
    });
}

/** The link that sets up a fresh install. Throws CONFLICT once it is set up. */
export async function readSetupLink(
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  environment: Environment,
): Promise<string> {
  const url = publicUrl(environment);
  if (await isSetUpOpen(db)) return url + setUpPath(keyring);
  const text = `${environment.SERVICE_NAME} is set up already. Sign in at ${url}, or run "pharos user reset-password" if nobody can.`;
  throw new DomainError('CONFLICT', text);
}
