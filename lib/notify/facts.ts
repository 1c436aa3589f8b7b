import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { AudienceFacts } from './audience';
import type { RecentChanges } from './flapping-rows';
import type { OpenHeld } from './held-rows';
import type { NameRegion } from './region-names';
import type { StoredStory } from './story-rows';

/** What notifying depends on in this process. */
export type Notifying = { appUrl: string | null; mail: { isOn: boolean } };

/** What is known of those who can be sent events. */
export type EventFacts = AudienceFacts & {
  appUrl: string | null;
  nameRegion: NameRegion;
};

/** What decides who hears of changes, besides the changes. */
export type NotificationFacts = EventFacts & {
  now: Date;
  /** What is held of monitors that depend on others, by ID; nothing of those that are missing. */
  held: ReadonlyMap<string, OpenHeld>;
  /** What is known of the earlier changes of monitors, by ID. */
  recent: ReadonlyMap<string, RecentChanges>;
  stories: {
    /** Those that changes can join, oldest first. */
    open: readonly StoredStory[];
    /** The stories of the outages behind incidents, by the ID of the incident. */
    ofIncidents: ReadonlyMap<string, string>;
  };
};

/** An event as it is stored. */
export type StoredEvent = { id: string; organizationId: string; payload: EventContent };
