import type { LiveHub } from '@/lib/platform/live/hub';

/** Next has modules of its own in the same process; what its operations need of our server is handed over here. */
const shared = globalThis as typeof globalThis & { pharosLiveHub?: LiveHub };

/** Says through which hub this process hears what happens. */
export function shareLiveHub(hub: LiveHub): void {
  shared.pharosLiveHub = hub;
}

/** The hub of this process; null where none listens. */
export function getLiveHub(): LiveHub | null {
  return shared.pharosLiveHub ?? null;
}
