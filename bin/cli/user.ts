import type { Command } from 'commander';
import { deleteAccountByOperator } from '@/lib/domain/people/account/delete-account';
import { exportAccountOf } from '@/lib/domain/people/account/export-account';
import { createPasswordResetByOperator } from '@/lib/domain/people/passwords';
import { listUsers } from '@/lib/domain/people/profile';
import { resetSecondFactorByOperator } from '@/lib/domain/people/second-factor/reset-second-factor';
import { linkRequestSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { confirm } from '../remote/output/ask';
import { printResult, withServices } from './open-database';
import { publicUrl } from './paths';

/** `pharos user list`, `reset-password`, `reset-second-factor`, `export` and `delete`. */
export function registerUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description('List, export and delete users, reset passwords and second factors.');

  user
    .command('list')
    .description('List all users and their organizations; prints {users}.')
    .action(async () => {
      printResult({ users: await withServices(({ db }) => listUsers(db)) });
    });

  user
    .command('reset-password')
    .description(
      'Create a link to reset a password, valid once, for 24 hours; prints {email, url, expiresAt}.',
    )
    .argument('<email>', 'email address of the user')
    .action(async (text: string) => {
      const { email } = parseInput(linkRequestSchema, { email: text });
      const result = await withServices(async (services, environment) => {
        const { path, expiresAt } = await createPasswordResetByOperator(services, email);
        return { email, url: publicUrl(environment) + path, expiresAt };
      });
      printResult(result);
    });
  user
    .command('reset-second-factor')
    .description(
      'Remove the second factor of a user who lost it, passkeys included, and end their sessions; prints {email}.',
    )
    .argument('<email>', 'email address of the user')
    .action(async (text: string) => {
      const { email } = parseInput(linkRequestSchema, { email: text });
      await withServices((services) => resetSecondFactorByOperator(services, email));
      printResult({ email });
    });
  user
    .command('export')
    .description('Print everything that is stored about a user, as JSON.')
    .argument('<email>', 'email address of the user')
    .action(async (text: string) => {
      const { email } = parseInput(linkRequestSchema, { email: text });
      printResult(await withServices(({ db }) => exportAccountOf(db, email)));
    });

  user
    .command('delete')
    .description('Delete the account of a user; what they did stays without their name; prints {email}.')
    .argument('<email>', 'email address of the user')
    .option('--yes', 'do not ask')
    .action(async (text: string, { yes }: { yes?: true }) => {
      const { email } = parseInput(linkRequestSchema, { email: text });
      if (!yes) await confirm(`Delete the account of ${email}?`, 'add --yes to delete it');
      await withServices((services) => deleteAccountByOperator(services, email));
      printResult({ email });
    });
}
