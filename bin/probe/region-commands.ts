import type { Command } from 'commander';
import { DomainError } from '@/lib/core/errors';
import { createRegion, deleteRegion } from '@/lib/domain/regions/change-region';
import { listRegions } from '@/lib/domain/regions/list-regions';
import { createRegionSchema } from '@/lib/schemas/monitor/region';
import { parseInput } from '@/lib/schemas/validation';
import { printResult, withServices } from '../cli/open-database';

const actor = { kind: 'operator' } as const;

/** `pharos region create`, `region list` and `region delete`. */
export function registerOwnRegionCommands(region: Command): void {
  region
    .command('create')
    .description('Create an own region of an organization; prints the region.')
    .requiredOption('--org <organizationId>', 'org_…')
    .requiredOption('--name <name>', 'name of the region')
    .requiredOption('--place <place>', 'the city it is in or near, such as hamburg')
    .action(async ({ org, ...fields }: { org: string; name: string; place: string }) => {
      const input = parseInput(createRegionSchema, fields);
      printResult(
        await withServices((services) => createRegion({ ...services, organizationId: org, actor }, input)),
      );
    });

  region
    .command('list')
    .description('List the regions that an organization can use; prints {regions}.')
    .requiredOption('--org <organizationId>', 'org_…')
    .action(async ({ org }: { org: string }) => {
      const regions = await withServices((services) =>
        listRegions({ ...services, organizationId: org, actor }, { showsHosts: true }),
      );
      printResult({ regions });
    });

  region
    .command('delete')
    .description('Delete an own region from which no monitor is checked; prints {id}.')
    .argument('<id>', 'loc_…')
    .action(async (id: string) => {
      await withServices(async (services) => {
        const row = await services.db.region.findUnique({ where: { id }, select: { organizationId: true } });
        if (row === null) throw new DomainError('NOT_FOUND', `Region ${id} does not exist. Check the ID.`);
        await deleteRegion({ ...services, ...row, actor }, id);
      });
      printResult({ id });
    });
}
