import { type Command, Option } from 'commander';
import { createApiKey } from '@/lib/api-keys/create-api-key';
import { recordAudit } from '@/lib/audit/record-audit';
import { lockOrganization } from '@/lib/organizations/lock-organization';
import { printResult, withServices } from './with-services';

/** `pharos key create`. */
export function registerKeyCommands(program: Command): void {
  const key = program.command('key').description('Make API keys.');

  key
    .command('create')
    .description('Make an API key of an organization; prints {id, apiKey}, the key for the only time.')
    .requiredOption('--org <organizationId>', 'org_…')
    .option('--name <name>', 'what the key is for', 'Command line')
    .addOption(
      new Option('--scope <scope>', 'what the key may do')
        .choices(['read', 'write'] as const)
        .default('write'),
    )
    .action(async ({ org, name, scope }: { org: string; name: string; scope: 'read' | 'write' }) => {
      const made = await withServices(({ db, clock }) =>
        db.$transaction(async (tx) => {
          await lockOrganization(tx, org);
          const input = { name, scope, expiresAt: null };
          const made = await createApiKey(tx, { organizationId: org, now: clock.now(), ...input });
          const ctx = { clock, organizationId: org, actor: { kind: 'operator' } } as const;
          const subject = { id: made.id, label: name };
          await recordAudit(tx, ctx, { action: 'api-key.create', subject, after: input });
          return made;
        }),
      );
      printResult({ id: made.id, apiKey: made.key });
    });
}
