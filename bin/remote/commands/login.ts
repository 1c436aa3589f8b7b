import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { openApi } from '../api';
import { type ConnectionOptions, connect, loginFile, saveLogin, withConnection } from '../connection';
import { ask, canAsk } from '../output/ask';

/** `pharos login`. */
export function registerLogin(program: Command): void {
  withConnection(program.command('login'))
    .description('Save the address of Pharos and an API key for the commands that use the API.')
    .action(async (given: ConnectionOptions) => {
      const url = given.url || (await askFor('Address of Pharos: '));
      const key = given.key || (await askFor('API key, from Settings → API keys: ', { isSecret: true }));
      const { connection } = await connect({ url, key });
      const api = openApi(connection);
      // Rejects a wrong address or key before it is saved.
      await api.call('GET', '/monitors?limit=1');
      await saveLogin(connection);
      process.stdout.write(`Logged in to ${connection.url}. The key is in ${loginFile()}.\n`);
    });
}

async function askFor(question: string, options?: { isSecret: boolean }): Promise<string> {
  if (canAsk()) return ask(question, options);
  throw new StartupError(
    'where is Pharos? Use --url and --key, or set PHAROS_URL and PHAROS_API_KEY; keys are created under Settings → API keys',
  );
}

/** `pharos logout`. */
export function registerLogout(program: Command): void {
  program
    .command('logout')
    .description('Forget the saved address and key. The key itself stays valid.')
    .action(async () => {
      await rm(loginFile(), { force: true });
      process.stdout.write('Logged out.\n');
    });
}
