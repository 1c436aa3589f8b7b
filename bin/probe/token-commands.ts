import { type Command, InvalidArgumentError } from 'commander';
import { DomainError } from '@/lib/core/errors';
import {
  createProbeToken,
  listProbeTokens,
  revokeProbeToken,
  rotateProbeToken,
} from '@/lib/domain/probe-tokens/probe-tokens';
import { listAllProbes } from '@/lib/domain/probes/list-probes';
import { createRegion, deleteRegion } from '@/lib/domain/regions/change-region';
import { listRegions } from '@/lib/domain/regions/list-regions';
import { createRegionSchema } from '@/lib/schemas/monitor/region';
import { BUILT_IN_REGION_IDS, isRegionId, type RegionId } from '@/lib/schemas/regions';
import { parseInput } from '@/lib/schemas/validation';
import { printResult, withServices } from '../cli/open-database';

/** `pharos region create-token`, `list-tokens`, `rotate-token`, `revoke-token` and `list-probes`. */
export function registerRegionCommands(program: Command): void {
  const region = program
    .command('region')
    .description('Manage the tokens with which probes serve a region, and see these probes.');
  registerOwnRegionCommands(region);

  region
    .command('create-token')
    .description('Create a token for a probe; prints {id, token}. The token is shown only once.')
    .argument('<region>', `${BUILT_IN_REGION_IDS.join(', ')}, or an own one: loc_…`, readRegion)
    .option('--name <name>', 'where the probe runs', 'Probe')
    .action(async (id: RegionId, { name }: { name: string }) => {
      printResult(await withServices((services) => createProbeToken(services, { region: id, name })));
    });

  region
    .command('list-tokens')
    .description('List the tokens of all regions; prints {tokens}.')
    .action(async () => {
      printResult({ tokens: await withServices(listProbeTokens) });
    });

  region
    .command('rotate-token')
    .description('Replace a token; prints {id, token, worksUntil}: until then, the old one works as well.')
    .argument('<id>', 'prt_…')
    .option('--overlap <hours>', 'how long the old token still works', readHours, 24)
    .action(async (id: string, { overlap }: { overlap: number }) => {
      printResult(
        await withServices((services) => rotateProbeToken(services, id, { overlapHours: overlap })),
      );
    });

  region
    .command('revoke-token')
    .description('Revoke a token immediately; prints {id, revokedAt}.')
    .argument('<id>', 'prt_…')
    .action(async (id: string) => {
      printResult({ id, revokedAt: await withServices((services) => revokeProbeToken(services, id)) });
    });

  region
    .command('list-probes')
    .description(
      'List the probes of all regions and how they do, with those silent for up to a day; prints {probes}.',
    )
    .action(async () => {
      printResult({ probes: await withServices(listAllProbes) });
    });
}

function readRegion(text: string): RegionId {
  if (isRegionId(text)) return text;
  throw new InvalidArgumentError(
    `Use one of ${BUILT_IN_REGION_IDS.join(', ')}, or an own region such as loc_101.`,
  );
}

function readHours(text: string): number {
  const hours = Number(text);
  if (Number.isInteger(hours) && hours >= 0 && hours <= 168) return hours;
  throw new InvalidArgumentError('Use a whole number from 0 to 168.');
}

const actor = { kind: 'operator' } as const;

/** `pharos region create`, `region list` and `region delete`. */
function registerOwnRegionCommands(region: Command): void {
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
