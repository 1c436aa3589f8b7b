import { type Command, Option } from 'commander';
import { DomainError } from '@/lib/core/errors';
import { createApiKey, revokeApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { getApiKey } from '@/lib/domain/api-keys/read-api-keys';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { printResult, withServices } from './open-database';

/** `pharos key create` and `pharos key revoke`. */
export function registerKeyCommands(program: Command): void {
  const key = program.command('key').description('Create and revoke API keys.');

  key
    .command('create')
    .description('Create an API key for an organization; prints {id, apiKey}. The key is shown only once.')
    .requiredOption('--org <organizationId>', 'org_…')
    .option('--name <name>', 'what the key is for', 'Command line')
    .addOption(
      new Option('--scope <scope>', 'what the key can do')
        .choices(['read', 'write'] as const)
        .default('write'),
    )
    .action(async ({ org, name, scope }: { org: string; name: string; scope: 'read' | 'write' }) => {
      const created = await withServices(({ db, clock }) =>
        db.$transaction(async (tx) => {
          await lockOrganization(tx, org);
          const input = { name, scope, expiresAt: null };
          const created = await createApiKey(tx, { organizationId: org, now: clock.now(), ...input });
          const ctx = { clock, organizationId: org, actor: { kind: 'operator' } } as const;
          const subject = { id: created.id, label: name };
          await recordAudit(tx, ctx, { action: 'api-key.create', subject, after: input });
          return created;
        }),
      );
      printResult({ id: created.id, apiKey: created.key });
    });

  key
    .command('revoke')
    .description('Revoke an API key immediately; prints {id, revokedAt}.')
    .argument('<id>', 'key_…')
    .action(async (id: string) => {
      const revokedAt = await withServices(async (services) => {
        const row = await services.db.apiKey.findUnique({ where: { id }, select: { organizationId: true } });
        if (row === null) throw new DomainError('NOT_FOUND', `API key ${id} does not exist. Check the ID.`);
        const ctx = { ...services, ...row, actor: { kind: 'operator' as const } };
        await revokeApiKey(ctx, id);
        return (await getApiKey(ctx, id)).revokedAt;
      });
      printResult({ id, revokedAt });
    });
}
