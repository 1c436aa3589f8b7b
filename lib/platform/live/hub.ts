import type { LiveKind } from '@/lib/schemas/live';
import { parseHint } from './note-live';

/** Somebody who looks at an organization. */
export type Watcher = {
  onHint(kinds: LiveKind[]): void;
  /** Nothing is heard any more: whoever wants to go on begins anew. */
  onEnd(): void;
};

/** Hands what a process hears to those in it who look at the organization that it is about. */
export type LiveHub = {
  /** Null while nothing is heard: who is let in hears everything. Answers how to leave. */
  watch(organizationId: string, watcher: Watcher): (() => void) | null;
  /** Takes the text of a notification. */
  hear(text: string): void;
  /** From now on everything is heard. */
  resume(): void;
  /** Nothing is heard from now on, until `resume`: ends everybody. */
  suspend(): void;
};

type Room = { watchers: Set<Watcher>; waiting: Set<LiveKind>; timer: NodeJS.Timeout | null };

/** Of one organization a hint is handed on at once, and what follows so soon after it together. */
const GAP_MS = 1000;

/** A hub that hears nothing yet. */
export function createLiveHub({ gapMs = GAP_MS }: { gapMs?: number } = {}): LiveHub {
  const rooms = new Map<string, Room>();
  let isHearing = false;

  const handOn = (room: Room) => {
    const kinds = [...room.waiting];
    room.waiting.clear();
    for (const watcher of [...room.watchers]) watcher.onHint(kinds);
    room.timer = setTimeout(() => {
      room.timer = null;
      if (room.waiting.size > 0) handOn(room);
    }, gapMs);
  };

  const leave = (organizationId: string, room: Room, watcher: Watcher) => {
    room.watchers.delete(watcher);
    if (room.watchers.size > 0) return;
    if (room.timer) clearTimeout(room.timer);
    if (rooms.get(organizationId) === room) rooms.delete(organizationId);
  };

  return {
    watch: (organizationId, watcher) => {
      if (!isHearing) return null;
      const room = rooms.get(organizationId) ?? { watchers: new Set(), waiting: new Set(), timer: null };
      rooms.set(organizationId, room);
      room.watchers.add(watcher);
      return () => leave(organizationId, room, watcher);
    },
    hear: (text) => {
      const hint = parseHint(text);
      for (const id of hint?.organizationIds ?? []) {
        const room = rooms.get(id);
        if (!room || !hint) continue;
        room.waiting.add(hint.kind);
        if (room.timer === null) handOn(room);
      }
    },
    resume: () => {
      isHearing = true;
    },
    suspend: () => {
      isHearing = false;
      const ended = [...rooms.values()].flatMap((room) => [...room.watchers]);
      for (const watcher of ended) watcher.onEnd();
    },
  };
}
