import { readTarget } from '@/lib/checks/types';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { placeToConnect } from '@/lib/schemas/monitor/fields/connection-conflicts';

/** The host that a check connects to, for the watch over the network of this worker. */
export function hostOf(target: ProbeTarget): string {
  return (
    placeToConnect(target)?.host ??
    readTarget(target)?.host ??
    target.resolvers?.[0] ??
    'the configured resolver'
  );
}
