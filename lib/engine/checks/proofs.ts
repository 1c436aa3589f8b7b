import type { Logger } from '@/lib/core/logger';
import type { AskableProof, OwnNetwork } from '@/lib/platform/net/canary';
import { listProofs, type NetworkProof, type NetworkView, noteProof } from '@/lib/state/watcher-outage';
import type { Places } from './places';

/** How often each proof is asked while nothing fails. */
const EVERY_MS = 60_000;
/** A silent one is asked more often, so that it counts again soon, and it is soon known that it is ignored. */
const SILENT_EVERY_MS = 10_000;

/** Asks proofs: now, and every minute. */
export type Proofs = ReturnType<typeof keepProofs>;

type ProofOptions = {
  view: NetworkView;
  network: OwnNetwork;
  places: Places;
  now: () => number;
  log: Logger;
  /** Called after each response. */
  onProof: () => void;
};

/** Asks the proofs, and notes in `view` whether they respond. */
export function keepProofs({ view, network, places, now, log, onProof }: ProofOptions) {
  const askable = new Map<string, AskableProof>();
  const pending = new Map<string, Promise<boolean>>();
  const askedAt = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;

  const askOne = (id: string): Promise<boolean> => {
    const current = pending.get(id) ?? begin(id);
    pending.set(id, current);
    return current;
  };
  const begin = async (id: string): Promise<boolean> => {
    const begunAt = now();
    askedAt.set(id, begunAt);
    const response = await askable.get(id)?.ask();
    pending.delete(id);
    const worked = response === true;
    noteProof(view, { id, worked, askedAt: begunAt, at: now() });
    if (worked) onProof();
    return worked;
  };

  const refresh = async () => {
    places.refresh();
    const listed = await network.listProofs(places.links());
    listProofs(view, listed, now());
    for (const proof of listed) askable.set(proof.id, proof);
    for (const id of askable.keys())
      if (!view.proofs.has(id)) for (const of of [askable, askedAt]) of.delete(id);
  };
  const look = async () => {
    const begunAt = now();
    await refresh();
    for (const { id, silentSince } of view.proofs.values()) {
      const everyMs = silentSince === null ? EVERY_MS : SILENT_EVERY_MS;
      if (begunAt - (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= everyMs) void askOne(id);
    }
  };

  const lookQuietly = () =>
    void look().catch((error: unknown) =>
      log.error({ err: error }, 'could not read the network of this machine'),
    );
  return {
    start: (): void => {
      if (timer !== null) return;
      timer = setInterval(lookQuietly, SILENT_EVERY_MS).unref();
      lookQuietly();
    },
    stop: (): void => {
      if (timer !== null) clearInterval(timer);
    },
    /** Asks these proofs; resolves once one responds, or none did. */
    ask: (proofs: readonly NetworkProof[]): Promise<void> =>
      Promise.any(
        proofs.map(async ({ id }) => {
          if (!(await askOne(id))) throw SILENT;
        }),
      ).catch(() => undefined),
  };
}

const SILENT = new Error('silent');
