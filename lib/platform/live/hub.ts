import type { LiveKind } from '@/lib/schemas/live';
import { parseHint } from './note-live';

/** A viewer of an organization. */
export type Watcher = {
  onHint(kinds: LiveKind[]): void;
  /** Hints are no longer received: reconnect to continue. */
  onEnd(): void;
};

/** Distributes hints received by a process to the viewers of the organization concerned. */
export type LiveHub = ReturnType<typeof createLiveHub>;

type Audience = { watchers: Set<Watcher>; pending: Set<LiveKind>; timer: NodeJS.Timeout | null };

/** A hint is passed on immediately, further ones of the same organization together after this gap. */
const GAP_MS = 1000;

/** Creates a suspended hub. */
export function createLiveHub({ gapMs = GAP_MS }: { gapMs?: number } = {}) {
  const audiences = new Map<string, Audience>();
  let isActive = false;

  const passOn = (audience: Audience) => {
    const kinds = [...audience.pending];
    audience.pending.clear();
    for (const watcher of [...audience.watchers]) watcher.onHint(kinds);
    audience.timer = setTimeout(() => {
      audience.timer = null;
      if (audience.pending.size > 0) passOn(audience);
    }, gapMs);
  };

  const leave = (organizationId: string, audience: Audience, watcher: Watcher) => {
    audience.watchers.delete(watcher);
    if (audience.watchers.size > 0) return;
    if (audience.timer) clearTimeout(audience.timer);
    if (audiences.get(organizationId) === audience) audiences.delete(organizationId);
  };

  return {
    /** Null while suspended: a watcher never misses a hint. Returns a function to leave. */
    watch: (organizationId: string, watcher: Watcher) => {
      if (!isActive) return null;
      const silent: Audience = { watchers: new Set(), pending: new Set(), timer: null };
      const audience = audiences.get(organizationId) ?? silent;
      audiences.set(organizationId, audience);
      audience.watchers.add(watcher);
      return () => leave(organizationId, audience, watcher);
    },
    /** Receives the text of a notification. */
    hear: (text: string) => {
      const hint = parseHint(text);
      for (const id of hint?.organizationIds ?? []) {
        const audience = audiences.get(id);
        if (!audience || !hint) continue;
        audience.pending.add(hint.kind);
        if (audience.timer === null) passOn(audience);
      }
    },
    /** Hints are received from now on. */
    resume: () => {
      isActive = true;
    },
    /** Hints are not received until `resume`: ends all watchers. */
    suspend: () => {
      isActive = false;
      const ended = [...audiences.values()].flatMap((audience) => [...audience.watchers]);
      for (const watcher of ended) watcher.onEnd();
    },
  };
}
