import type { Command } from 'commander';
import { formatCommand } from '@/lib/command-line';
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
    .description('Show the link to set up a new installation, as printed by "start"; prints {url}.')
    .action(async () => {
      printResult({ url: await withServices(readSetupLink) });
    });
}

/** The link to set up a new installation. Throws CONFLICT if it is already set up. */
export async function readSetupLink(
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  environment: Environment,
): Promise<string> {
  const url = publicUrl(environment);
  if (await isSetUpOpen(db)) return url + setUpPath(keyring);
  const text = `${environment.SERVICE_NAME} is already set up. Sign in at ${url}, or run "${formatCommand('user reset-password EMAIL')}" if you cannot.`;
  throw new DomainError('CONFLICT', text);
}
