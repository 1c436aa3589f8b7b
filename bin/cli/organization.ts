import type { Command } from 'commander';
import {
  changePlan,
  deleteOrganization,
  listOrganizations,
} from '@/lib/domain/organizations/change-organization';
import { createOrganization } from '@/lib/domain/organizations/create-organization';
import { createOrganizationSchema, planSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { printResult, withServices } from './open-database';

/** `pharos org create`, `list`, `plan` and `delete`. */
export function registerOrganizationCommands(program: Command): void {
  const organization = program.command('org').description('Create, list, change and delete organizations.');

  organization
    .command('create')
    .description(
      'Create an organization with its owner and a first API key; prints {organizationId, userId, apiKey}.',
    )
    .requiredOption('--name <name>', 'name of the organization')
    .requiredOption('--email <address>', 'email address of its owner')
    .requiredOption('--password <password>', 'password of its owner, 8 characters or more')
    .option('--plan <plan>', 'free, pro or enterprise (default: DEFAULT_PLAN)')
    .action(async ({ name, email, password, plan }) => {
      const result = await withServices((services, { DEFAULT_PLAN }) => {
        const input = { name, email, password, plan: plan ?? DEFAULT_PLAN };
        return createOrganization(services, parseInput(createOrganizationSchema, input));
      });
      printResult(result);
    });

  organization
    .command('list')
    .description('List all organizations; prints {organizations}.')
    .action(async () => {
      printResult({ organizations: await withServices(({ db }) => listOrganizations(db)) });
    });

  organization
    .command('plan')
    .description('Change the plan of an organization; prints {organizationId, plan}.')
    .argument('<organizationId>', 'org_…')
    .argument('<plan>', 'free, pro or enterprise')
    .action(async (organizationId: string, text: string) => {
      const plan = parseInput(planSchema, text);
      await withServices((services) => changePlan(services, organizationId, plan));
      printResult({ organizationId, plan });
    });
  organization
    .command('delete')
    .description(
      'Permanently delete an organization with everything in it; members keep their accounts; prints {organizationId}.',
    )
    .argument('<organizationId>', 'org_…')
    .requiredOption('--name <name>', 'its name, which confirms the deletion')
    .action(async (organizationId: string, { name }: { name: string }) => {
      const actor = { kind: 'operator' } as const;
      await withServices((services) => deleteOrganization({ ...services, organizationId, actor }, { name }));
      printResult({ organizationId });
    });
}
