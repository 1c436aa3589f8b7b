import { groupBy } from '@/lib/core/groups';
import { joinStories, STORY_MS, type StoryPlace } from '@/lib/state/announcements/stories/join-stories';
import { listCauses } from '@/lib/state/announcements/stories/story-causes';
import { isReadByPeople } from '@/lib/webhook-formats/formats';
import type { EventSubscriber } from './audience';
import type { MonitorChange } from './change';
import type { NotificationFacts } from './facts';
import type { NewStoryChange, StoredStory } from './story-rows';

/** The incident that a change ends; null: none. */
export function endedIncidentOf({ effect, incident }: MonitorChange): string | null {
  return effect.to === 'operational' ? (incident?.id ?? null) : null;
}

type Joined<Each> = {
  changes: (Each & { place: StoryPlace })[];
  /** The new and changed ones. */
  stories: StoredStory[];
};

/** Finds the stories of changes that people are notified of now, in their order; null: a change stands alone. */
export function planStories<Each extends { change: MonitorChange; isNow: boolean }>(
  changes: readonly Each[],
  { now, stories: { open, ofIncidents } }: Pick<NotificationFacts, 'now' | 'stories'>,
  createStoryId: () => string,
): Joined<Each> {
  const joining = new Map(
    changes.flatMap((each) => {
      const { change, isNow } = each;
      if (!isNow || change.effect.event === null) return [];
      const { organizationId, id: monitorId } = change.monitor;
      const causes = listCauses(change.monitor, change.effect);
      const endsStoryId = ofIncidents.get(endedIncidentOf(change) ?? '') ?? null;
      return [[each, { organizationId, monitorId, causes, endsStoryId }] as const];
    }),
  );
  const joined = joinStories(open, [...joining.values()], now.getTime(), createStoryId);
  const heardBy = new Map(open.map((story) => [story.id, story.heardBy]));
  return {
    changes: changes.map((each) => {
      const own = joining.get(each);
      return { ...each, place: own === undefined ? null : (joined.places.get(own) ?? null) };
    }),
    stories: joined.stories.map((story) => ({ ...story, heardBy: heardBy.get(story.id) ?? [] })),
  };
}

/** An event of a change with the endpoints that it is for, before those are left out that get it later. */
type Addressed = { endpoints: readonly EventSubscriber[] };

/**
 * Leaves out the endpoints that get a change later, with the rest of its story: those in which people read what they get, and that were
 * sent an earlier change of it. All events of a change are left out, or none. Returns who has heard of each story since.
 */
export function holdForStories<Event extends Addressed, Each extends { place: StoryPlace; events: Event[] }>(
  changes: readonly Each[],
  stories: readonly StoredStory[],
): { changes: Each[]; stories: StoredStory[] } {
  const heard = new Map(stories.map(({ id, heardBy }) => [id, new Set(heardBy)]));
  const held = changes.map((each) => {
    const own = heard.get(each.place?.storyId ?? '');
    if (own === undefined) return each;
    const before = new Set(own);
    const events = each.events.map((event) => {
      const endpoints = event.endpoints.filter(
        ({ id, format }) => !isReadByPeople(format) || !before.has(id),
      );
      for (const { id, format } of endpoints) if (isReadByPeople(format)) own.add(id);
      return { ...event, endpoints };
    });
    return { ...each, events };
  });
  return {
    changes: held,
    stories: stories.map((story) => ({ ...story, heardBy: [...(heard.get(story.id) ?? [])] })),
  };
}

/** The rows of stories: those with more than a first change have a rest, which a worker announces. */
export function storyRows(
  stories: readonly StoredStory[],
  changes: readonly { change: MonitorChange; place: StoryPlace; eventIds: string[] }[],
): { stories: (StoredStory & { restDueAt: Date | null })[]; storyChanges: NewStoryChange[] } {
  const placed = changes.flatMap(({ place, ...each }) => (place === null ? [] : [{ ...each, place }]));
  const byStory = groupBy(placed, ({ place }) => place.storyId);
  return {
    stories: stories.map((story) => {
      const hasRest = byStory.get(story.id)?.some(({ place }) => !place.isFirst) ?? false;
      return { ...story, restDueAt: hasRest ? new Date(story.startedAt + STORY_MS) : null };
    }),
    storyChanges: placed.map(({ change: { monitor, effect, incident }, place, eventIds }) => ({
      storyId: place.storyId,
      monitorId: monitor.id,
      monitorName: monitor.name,
      incidentId: incident?.id ?? null,
      status: effect.to,
      eventIds,
    })),
  };
}
