import type { MonitorType } from '@/lib/checks/types';
import { createId } from '@/lib/core/ids';
import {
  lockStories,
  readOpenStories,
  readStoriesOf,
  type StoredStory,
  writeStories,
} from '@/lib/domain/announcements/stories';
import type { StoryHold } from '@/lib/domain/webhooks/stories/hold-for-stories';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { joinStories, STORY_MS, type StoryPlace } from '@/lib/state/announcements/stories/join-stories';
import { listCauses } from '@/lib/state/announcements/stories/story-causes';
import type { StatusEffect } from '@/lib/state/types';

type Change = {
  monitor: { id: string; organizationId: string; name: string; type: MonitorType; url: string };
  effect: Pick<StatusEffect, 'to' | 'why' | 'event'>;
  /** The automatic incident after the change. */
  incidentId: string | null;
  /** Whether people are notified of it now. */
  isSent: boolean;
};

/** Which stories changes belong to. */
export type StoryPlan = {
  /** In the order of the changes. */
  places: StoryPlace[];
  /** For each change, what its events need to know of its story; undefined: it stands alone. */
  holds: (StoryHold | undefined)[];
  stories: StoredStory[];
};

/**
 * Finds the stories of changes that people are to be notified of, in a fixed number of statements, or none if nothing can be part of one.
 * The caller holds the locks of the states, and takes no others after this.
 */
export async function planStories(
  tx: Transaction,
  changes: readonly Change[],
  now: Date,
): Promise<StoryPlan> {
  const places: StoryPlace[] = changes.map(() => null);
  const holds: StoryPlan['holds'] = changes.map(() => undefined);
  const joinable = changes.flatMap(({ monitor, effect, incidentId, isSent }, index) => {
    if (!isSent || effect.event === null) return [];
    const causes = listCauses(monitor, effect);
    const endedId = effect.to === 'operational' ? incidentId : null;
    if (causes.length === 0 && endedId === null) return [];
    return [{ index, endedId, causes, organizationId: monitor.organizationId, monitorId: monitor.id }];
  });
  if (joinable.length === 0) return { places, holds, stories: [] };
  const organizationIds = joinable.map(({ organizationId }) => organizationId);
  await lockStories(tx, organizationIds);
  const monitorIds = joinable.map(({ monitorId }) => monitorId);
  const open = await readOpenStories(tx, { organizationIds, monitorIds }, now);
  const ended = await readStoriesOf(
    tx,
    joinable.flatMap(({ endedId }) => endedId ?? []),
  );
  const joining = joinable.map((change) => ({
    ...change,
    endsStoryId: ended.get(change.endedId ?? '') ?? null,
  }));
  const joined = joinStories(open, joining, now.getTime(), () => createId('story'));
  const heard = new Map(open.map(({ id, heardBy }) => [id, heardBy]));
  const stories = joined.stories.map((story) => ({ ...story, heardBy: heard.get(story.id) ?? [] }));
  const heardBy = new Map(stories.map((story) => [story.id, new Set(story.heardBy)]));
  for (const [place, { index }] of joinable.entries()) {
    const found = joined.places[place] ?? null;
    if (found === null) continue;
    places[index] = found;
    holds[index] = { change: index, heardBy: heardBy.get(found.storyId) ?? new Set() };
  }
  return { places, holds, stories };
}

/** Stores the stories, and has a worker announce the rest of those that have one. `eventIds`: of each change. */
export async function storeStories(
  tx: Transaction,
  { places, holds, stories }: StoryPlan,
  changes: readonly Change[],
  eventIds: readonly string[][],
): Promise<void> {
  if (stories.length === 0) return;
  const heardBy = new Map(places.map((place, index) => [place?.storyId, holds[index]?.heardBy]));
  const later = new Set(places.flatMap((place) => (place && !place.isFirst ? [place.storyId] : [])));
  await writeStories(
    tx,
    stories.map((story) => ({
      ...story,
      heardBy: [...(heardBy.get(story.id) ?? story.heardBy)],
      restDueAt: later.has(story.id) ? new Date(story.startedAt + STORY_MS) : null,
    })),
    changes.flatMap(({ monitor, effect, incidentId }, index) => {
      const place = places[index];
      if (!place) return [];
      const named = { monitorId: monitor.id, monitorName: monitor.name };
      return [
        { storyId: place.storyId, ...named, incidentId, status: effect.to, eventIds: eventIds[index] ?? [] },
      ];
    }),
  );
  if (later.size > 0) await notify(tx, 'pharos_deliveries');
}
