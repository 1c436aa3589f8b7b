import { type Command, InvalidArgumentError } from 'commander';
import {
  createProbeToken,
  listProbeTokens,
  revokeProbeToken,
  rotateProbeToken,
} from '@/lib/domain/probe-tokens/probe-tokens';
import { listAllProbes } from '@/lib/domain/probes/list-probes';
import { BUILT_IN_REGION_IDS, isRegionId, type RegionId } from '@/lib/schemas/regions';
import { printResult, withServices } from '../cli/open-database';
import { registerOwnRegionCommands } from './region-commands';

/** `pharos region create-token`, `list-tokens`, `rotate-token`, `revoke-token` and `list-probes`. */
export function registerRegionCommands(program: Command): void {
  const region = program
    .command('region')
    .description('Manage the tokens with which probes serve a region, and see these probes.');
  registerOwnRegionCommands(region);

  region
    .command('create-token')
    .description('Create a token for "pharos probe"; prints {id, token}. The token is shown only once.')
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
