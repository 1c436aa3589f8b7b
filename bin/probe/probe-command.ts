import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { createLogger } from '@/lib/core/logger';
import { ExchangeError } from '@/lib/engine/remote/exchange';
import { runProbe } from '@/lib/engine/remote/run-probe';
import { limitHeapGrowth } from '@/lib/engine/runtime/heap-growth';
import { getProbeEnvironment, PROBE_VARIABLES } from '@/lib/env';
import { version } from '@/package.json';
import { announceReady, stopOnSignal } from '../cli/child-process';
import { createExchange } from './exchange';

/** Less than a supervisor's grace period. */
const GRACE_MS = 8000;

/** `pharos probe`. */
export function registerProbe(program: Command): void {
  defineProbe(program.command('probe'));
}

/** Gives a command the options of a probe, and lets it run one: `pharos probe`, or the program of the package @pharos/probe. */
export function defineProbe(command: Command): Command {
  return command
    .description(
      'Run the checks of a region from this machine, over HTTPS: no database, no secret key, no open port. Create a token with "pharos region create-token".',
    )
    .addOption(new Option('--url <url>', 'the address of Pharos').env('PHAROS_URL').makeOptionMandatory())
    .addOption(
      new Option('--token <token>', 'a probe token; prefer the variable, which other users cannot see')
        .env('PHAROS_PROBE_TOKEN')
        .makeOptionMandatory(),
    )
    .addHelpText('after', `\nVariables of the environment: ${PROBE_VARIABLES.join(', ')}.`)
    .action(async ({ url, token }: { url: string; token: string }) => {
      limitHeapGrowth();
      if (!URL.canParse(url) || !/^https?:/.test(url)) {
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
        log,
      }).catch((error: unknown) => {
        throw error instanceof ExchangeError ? new StartupError(error.message) : error;
      });
      stopOnSignal(() => probe.stop(GRACE_MS));
      log.info({ region: probe.region }, 'probe is ready');
      announceReady();
    });
}
