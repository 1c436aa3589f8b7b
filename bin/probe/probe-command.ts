import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { createLogger } from '@/lib/core/logger';
import { parseUrl } from '@/lib/core/parse-url';
import { ExchangeError } from '@/lib/engine/remote/exchange';
import { runProbe } from '@/lib/engine/remote/run-probe';
import { limitHeapGrowth } from '@/lib/engine/runtime/heap-growth';
import { getProbeEnvironment, PROBE_VARIABLES, readVariable } from '@/lib/env';
import { version } from '@/package.json';
import { announceReady, stopOnSignal } from '../cli/child-process';
import { createExchange } from './exchange';

/** Less than a supervisor's grace period. */
const GRACE_MS = 8000;

type Options = { url: string; token: string; offlineMinutes: number; spool: string; spoolMb: number };

/** `pharos probe`. */
export function registerProbe(program: Command): void {
  defineProbe(program.command('probe'));
}

/** Gives a command the options of a probe, and lets it run one: `pharos probe`, or the program of the package @pharos/probe. */
export function defineProbe(command: Command): Command {
  return command
    .description(
      'Run the checks of a region from this machine, over HTTPS: no database, no secret key, no open port. Create a token where Pharos runs, with "region create-token" or under Settings → Regions.',
    )
    .addOption(
      new Option('--url <url>', 'the address of Pharos')
        .env('PHAROS_URL')
        .argParser(requireText)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--token <token>', 'a probe token; prefer the variable, which other users cannot see')
        .env('PHAROS_PROBE_TOKEN')
        .argParser(requireText)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--offline-minutes <minutes>',
        'how long to continue to check while Pharos cannot be reached, 0–60',
      )
        .env('PHAROS_PROBE_OFFLINE_MINUTES')
        .default(60)
        .argParser(readNumber(0, 60)),
    )
    .addOption(
      new Option('--spool <directory>', 'where to keep results until Pharos can be reached')
        .env('PHAROS_PROBE_SPOOL')
        .default(defaultSpool()),
    )
    .addOption(
      new Option('--spool-mb <megabytes>', 'how many megabytes of them to keep, 1–1024')
        .env('PHAROS_PROBE_SPOOL_MB')
        .default(64)
        .argParser(readNumber(1, 1024)),
    )
    .addHelpText('after', `\nVariables of the environment: ${PROBE_VARIABLES.join(', ')}.`)
    .action(async ({ url, token, offlineMinutes, spool, spoolMb }: Options) => {
      limitHeapGrowth();
      if (parseUrl(url) === null || !/^https?:/.test(url)) {
        throw new StartupError(`${url} is not the address of a website`);
      }
      const {
        TARGET_POLICY: mode,
        ALLOWED_PRIVATE_CIDRS: allowedCidrs,
        ...environment
      } = getProbeEnvironment();
      const log = createLogger(environment.LOG_LEVEL, 'probe');
      const probe = await runProbe({
        exchange: createExchange({ url, token, instance: randomUUID() }),
        policy: { mode, allowedCidrs },
        checkConcurrency: environment.CHECK_CONCURRENCY,
        dnsServers: environment.DNS_SERVERS,
        canaries: environment.NETWORK_CANARY,
        version,
        offlineMs: offlineMinutes * 60_000,
        spool: { directory: join(spool, nameOf(url)), maxBytes: spoolMb * 1024 * 1024 },
        log,
      }).catch((error: unknown) => {
        throw error instanceof ExchangeError ? new StartupError(error.message) : error;
      });
      stopOnSignal(() => probe.stop(GRACE_MS));
      log.info({ region: probe.region }, 'probe is ready');
      announceReady();
    });
}

/** The state directory that systemd or the user has chosen, or else the usual one. */
function defaultSpool(): string {
  const state = readVariable('XDG_STATE_HOME') ?? join(homedir(), '.local', 'state');
  return readVariable('STATE_DIRECTORY') ?? join(state, 'pharos-probe');
}

/** Probes of several services can share a spool. */
function nameOf(url: string): string {
  return new URL(url).host.replaceAll(/[^\w.-]/g, '_');
}

/** An empty variable counts as not set. */
function requireText(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is required.');
  return text;
}

function readNumber(least: number, most: number) {
  return (text: string): number => {
    const number = Number(text);
    if (text.trim() !== '' && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be from ${least} to ${most}.`);
  };
}
