import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import type { Clock } from '@/lib/core/time/clock';
import { createSyncedClock } from '@/lib/core/time/synced-clock';
import type { Services } from '@/lib/domain/context/services';
import { createProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { NETWORK_WORKS } from '@/lib/engine/checks/outage-watch';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import { createShardKeeper } from '@/lib/engine/checks/shards/keep-shards';
import { ExchangeError } from '@/lib/engine/remote/exchange';
import { createLateRecorder } from '@/lib/engine/remote/offline/late-recorder';
import { createSegmentFiles } from '@/lib/engine/remote/offline/segments';
import { createLateStep } from '@/lib/engine/remote/offline/send-late';
import { openSpool } from '@/lib/engine/remote/offline/spool';
import { watchLink } from '@/lib/engine/remote/offline/watch-link';
import { createRemoteRecorder } from '@/lib/engine/remote/remote-recorder';
import { createRemoteStore } from '@/lib/engine/remote/remote-store';
import { createSecretKeys } from '@/lib/engine/remote/sealed-secrets';
import { keepLog } from '@/lib/testing/kept-log';
import { connectDirectly } from './remote-story';

const HOUR = 3_600_000;

type Setup = {
  /** This machine's time in milliseconds; by default the service's. */
  local?: () => number;
  maxBytes?: number;
  /** How long it may be cut off. */
  offlineMs?: number;
  /** The spool of an earlier process. */
  directory?: string;
  region?: 'us-east' | 'eu-west';
};

/** A probe that can be cut off from the service, without the timers of `runProbe`: each step is a call. */
export async function startOfflineProbe(
  services: Services & { clock: Clock },
  { local, maxBytes = 64 * 1024 * 1024, offlineMs = HOUR, region = 'us-east', ...setup }: Setup = {},
) {
  const { token } = await createProbeToken(services, { region, name: 'Test' });
  const { log, lines } = keepLog();
  let isCut = false;
  const direct = connectDirectly(services, {
    token,
    link: (deliver) => {
      if (isCut) throw new ExchangeError('cannot reach it', null);
      return deliver();
    },
  });
  const clock = createSyncedClock(direct.exchange.readTime, local ?? (() => services.clock.now().getTime()));
  await clock.measure();
  const link = watchLink(direct.exchange, { local: clock.local, offlineMs, onSample: clock.note, log });
  const store = createRemoteStore(link, await createSecretKeys(), {
    startedAt: clock.now(),
    machine: { id: 'machine', host: 'host.test' },
    waitMs: 0,
    network: () => NETWORK_WORKS,
    pendingMs: () => null,
    onReported: () => undefined,
    statistics: () => ({ version: '0.1.0', checksPerSecond: 0, latenessMs: null, backlog: 0 }),
  });
  const keeper = createShardKeeper({ store, clock, region, log, continues: link.continues });
  const directory = setup.directory ?? (await createFolder());
  const spool = await openSpool(createSegmentFiles(directory), { maxBytes, log });
  // Runs before the folder is removed, into which late results may still be written.
  onTestFinished(() => spool.close());
  const process = crypto.randomUUID();
  const recorder = createLateRecorder(
    createRemoteRecorder(link, clock, log, (finished) => void recorder.keepLate(finished)),
    {
      spool,
      isCutOff: () => keeper.isWithoutLease() && link.isUnreachable(),
      clock: () => ({ process, offsetMs: clock.offsetMs() }),
    },
  );
  const sendLate = createLateStep({ spool, exchange: link, clock, process, isBusy: link.isUnreachable, log });
  return {
    clock,
    keeper,
    recorder,
    spool,
    directory,
    sendLate,
    messages: () => lines().map(({ msg }) => msg),
    cut: () => {
      isCut = true;
    },
    isCut: () => isCut,
    join: () => {
      isCut = false;
    },
    /** One second of a probe: what is due is checked, and ends at once. Returns how many checks there were, and their results' fate. */
    tick: async (result: ProbeResult) => {
      await keeper.sync().catch(() => 'it is cut off');
      recorder.look();
      const due = keeper.takeDue(1000);
      const finished = due.map((check): FinishedCheck => ({ check, startedAt: clock.now(), result }));
      const added = finished.map((each) => recorder.add(each));
      for (const check of due) keeper.giveBack(check);
      return { finished, added };
    },
  };
}

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pharos-offline-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
