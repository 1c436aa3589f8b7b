import { type Command, Option } from 'commander';
import { DomainError } from '@/lib/core/errors';
import { createApiKey, revokeApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { getApiKey } from '@/lib/domain/api-keys/read-api-keys';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { lockOrganization } from '@/lib/domain/organizations/change-organization';
import { printResult, withServices } from './open-database';

/** `pharos key create` and `pharos key revoke`. */
export function registerKeyCommands(program: Command): void {
  const key = program.command('key').description('Make and revoke API keys.');

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

  key
    .command('revoke')
    .description('End an API key at once; prints {id, revokedAt}.')
    .argument('<id>', 'key_…')
    .action(async (id: string) => {
      const revokedAt = await withServices(async (services) => {
        const row = await services.db.apiKey.findUnique({ where: { id }, select: { organizationId: true } });
        if (row === null) throw new DomainError('NOT_FOUND', `There is no API key ${id}.`);
        const ctx = { ...services, ...row, actor: { kind: 'operator' as const } };
        await revokeApiKey(ctx, id);
        return (await getApiKey(ctx, id)).revokedAt;
      });
      printResult({ id, revokedAt });
    });
}
