import type { Command } from 'commander';
import { createPasswordResetByOperator } from '@/lib/domain/people/passwords';
import { listUsers } from '@/lib/domain/people/profile';
import { resetSecondFactorByOperator } from '@/lib/domain/people/second-factor/reset-second-factor';
import { linkRequestSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { printResult, withServices } from './open-database';
import { publicUrl } from './paths';

/** `pharos user list`, `reset-password` and `reset-second-factor`. */
export function registerUserCommands(program: Command): void {
  const user = program.command('user').description('List users, reset passwords and second factors.');

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
}
