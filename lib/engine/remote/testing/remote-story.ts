import { randomUUID } from 'node:crypto';
import type { ProbeResult } from '@/lib/checks/result';
import { DomainError } from '@/lib/core/errors';
import { createLogger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { createWake } from '@/lib/core/time/wake';
import type { Services } from '@/lib/domain/context/services';
import { authenticateProbe, createProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { NETWORK_WORKS } from '@/lib/engine/checks/outage-watch';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import { createShardKeeper } from '@/lib/engine/checks/shards/keep-shards';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import { type Exchange, ExchangeError } from '@/lib/engine/remote/exchange';
import { OPERATIONS, type OperationName, type Output } from '@/lib/engine/remote/protocol';
import { toWire } from '@/lib/engine/remote/remote-recorder';
import { createRemoteStore } from '@/lib/engine/remote/remote-store';
import { createSecretKeys } from '@/lib/engine/remote/sealed-secrets';
import { serveProbe } from '@/lib/engine/remote/serve/serve-probe';
import { OK } from '@/lib/engine/testing/story';
import type { RegionId } from '@/lib/schemas/regions';

const log = createLogger('silent', 'test');

/** What a request to the service goes through: `deliver` sends it on and returns the response. */
type Link = <T>(deliver: () => Promise<T>) => Promise<T>;

/** The exchange of a probe with a service in this process: everything passes as JSON, as over HTTPS. */
export function connectDirectly(
  services: Services,
  { token, link = (deliver) => deliver() }: { token: string; link?: Link },
) {
  const wakes = { changes: createWake(), requests: createWake() };
  const instance = randomUUID();
  const own = { ...services, log, serviceName: 'Pharos', ensurePartition: async () => undefined };
  const serve = async (operation: string, body: unknown) => {
    const authenticated = await authenticateProbe(services, `Bearer ${token}`);
    return serveProbe(own, wakes, { token: authenticated, address: '192.0.2.7', operation, body });
  };
  const send = async (operation: string, input: unknown) => {
    const body: unknown = JSON.parse(JSON.stringify({ instance, input }));
    const served = await link(() =>
      serve(operation, body).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        throw new ExchangeError(error.message, error.code === 'UNAUTHORIZED' ? 'probe' : 'request');
      }),
    );
    return JSON.parse(JSON.stringify(served));
  };
  const exchange: Exchange = {
    send: async <Name extends OperationName>(name: Name, input: unknown) => {
      const { now, output } = await send(name, input);
      return { now, output: OPERATIONS[name].output.parse(output) as Output<Name> };
    },
    request: async <Name extends OperationName>(name: Name, input: unknown) =>
      OPERATIONS[name].output.parse((await send(name, input)).output) as Output<Name>,
    readTime: async () => (await send('hello', {})).now,
  };
  return { exchange, send, wakes };
}

/** A probe of a region, connected directly, with the clock of its service. */
export async function startProbe(
  services: Services & { clock: Clock },
  region: RegionId = 'us-east',
  link?: Link,
) {
  const { id: tokenId, token } = await createProbeToken(services, { region, name: 'Test' });
  const { clock } = services;
  const direct = connectDirectly(services, { token, ...(link && { link }) });
  const keys = await createSecretKeys();
  const store = createRemoteStore(direct.exchange, keys, {
    startedAt: clock.now(),
    machine: { id: 'machine', host: 'host.test' },
    network: () => NETWORK_WORKS,
    pendingMs: () => null,
    statistics: () => ({ version: '0.1.0', checksPerSecond: 2.5, latenessMs: 40, backlog: 3 }),
    waitMs: 0,
    onReported: () => undefined,
  });
  const keeper = createShardKeeper({ store, clock, region, log });
  const finish = (check: DueCheck, result: ProbeResult = OK): FinishedCheck => ({
    check,
    startedAt: clock.now(),
    result,
  });
  return {
    ...direct,
    token,
    tokenId,
    services,
    keeper,
    keys,
    /** Takes what is due; the checks end at once. */
    take: async (): Promise<DueCheck[]> => {
      await keeper.sync();
      const due = keeper.takeDue(1000);
      for (const check of due) keeper.giveBack(check);
      return due;
    },
    /** Sends the results of checks, changed as a probe must not; returns how many counted. */
    record: async (
      checks: readonly DueCheck[],
      {
        result = OK,
        batch = randomUUID(),
        isRepeated = false,
        change = {},
      }: {
        result?: ProbeResult;
        batch?: string;
        isRepeated?: boolean;
        change?: object;
      } = {},
    ): Promise<number> => {
      const results = checks.map((check) => ({ ...toWire(finish(check, result)), ...change }));
      return (await direct.exchange.request('record', { batch, isRepeated, results })).count;
    },
    /** Sends late results of a check that began at these times. */
    sendLate: (
      { monitor: { id, configVersion } }: DueCheck,
      times: readonly Date[],
      { result = OK, change = {}, lost = 0 }: { result?: ProbeResult; change?: object; lost?: number } = {},
    ) => {
      const { outcome, responseTime, statusCode, error, phases } = result;
      const found = { id, configVersion, outcome, responseTime, statusCode, error, phases };
      const results = times.map((at) => ({ ...found, startedAt: at.getTime(), ...change }));
      return direct.exchange.request('recordLate', { results, lost });
    },
  };
}
