import type { Command } from 'commander';
import { getEnvironment } from '@/lib/env';
import { openDatabase } from './open-database';

/** `pharos migrate`. */
export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('Migrate the database to this version. "start", "web" and "worker" do this too.')
    .action(async () => {
      const { close } = await openDatabase(getEnvironment());
      await close();
      process.stderr.write('The database is up to date.\n');
    });
}
