import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import type { AdvanceServices } from '@/lib/engine/checks/advance-monitors';

/** What serving probes takes. */
export type ProbeServices = Services &
  AdvanceServices & {
    log: Logger;
    serviceName: string;
    /** See `createPartitionKeeper`. */
    ensurePartition(now: Date): Promise<void>;
  };

/** A probe, as its token and its instance say; the region is that of the token, whatever it asks for. */
export type RemoteRunner = {
  region: string;
  workerId: string;
  tokenId: string;
  /** Where its request came from; null if it has disconnected. */
  address: string | null;
};
