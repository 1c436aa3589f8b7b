import type { Command } from 'commander';
import { createPasswordResetByOperator } from '@/lib/domain/people/passwords';
import { listUsers } from '@/lib/domain/people/profile';
import { linkRequestSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { printResult, withServices } from './open-database';
import { publicUrl } from './paths';

/** `pharos user list` and `pharos user reset-password`. */
export function registerUserCommands(program: Command): void {
  const user = program.command('user').description('List users and reset passwords.');

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
}
