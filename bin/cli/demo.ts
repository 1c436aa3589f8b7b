import type { Command } from 'commander';
import { noteAbsence } from '@/bin/demo/note-absence';
import { seedDemo } from '@/bin/demo/seed-demo';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { printResult, withServices } from './open-database';
import { publicUrl } from './paths';

/** `pharos demo seed`. */
export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('Explore Pharos with sample data.')
    .command('seed')
    .description(
      'Create an organization with 90 days of sample data: monitors of this service, incidents and a status page. Prints {organizationId, userId, apiKey, slug}.',
    )
    .option('--email <address>', 'email address of its owner', 'demo@example.com')
    .requiredOption('--password <password>', 'password of its owner, 8 characters or more')
    .option('--slug <slug>', 'slug of its status page', 'demo')
    .action(async ({ email, password, slug }) => {
      const report = (line: string) => process.stderr.write(`${line}\n`);
      const demo = await withServices(async (services, environment) => {
        const service = new URL(publicUrl(environment));
        const seeded = await seedDemo(services, {
          email,
          password,
          slug,
          days: 90,
          service,
          settings: readPageSettings(environment),
          onProgress: (name, done, all) => report(`${done + 1} of ${all}: ${name}`),
        });
        const absence = await noteAbsence(service);
        if (absence !== null) report(absence);
        return seeded;
      });
      printResult(demo);
    });
}
