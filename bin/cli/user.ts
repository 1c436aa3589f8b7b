import type { Command } from 'commander';
import { listUsers } from '@/lib/domain/people/profile';
import { createPasswordResetByOperator } from '@/lib/domain/people/reset-password';
import { linkRequestSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { printResult, withServices } from './open-database';
import { publicUrl } from './paths';

/** `pharos user list` and `pharos user reset-password`. */
export function registerUserCommands(program: Command): void {
  const user = program.command('user').description('List people and let them in again.');

  user
    .command('list')
    .description('List everybody who can sign in, and where they belong; prints {users}.')
    .action(async () => {
      printResult({ users: await withServices(({ db }) => listUsers(db)) });
    });

  user
    .command('reset-password')
    .description(
      'Make a link with which a person sets a new password, once, within a day; prints {email, url, expiresAt}.',
    )
    .argument('<email>', 'what the person signs in with')
    .action(async (text: string) => {
      const { email } = parseInput(linkRequestSchema, { email: text });
      const result = await withServices(async (services, environment) => {
        const { path, expiresAt } = await createPasswordResetByOperator(services, email);
        return { email, url: publicUrl(environment) + path, expiresAt };
      });
      printResult(result);
    });
}
