/** How long after its first change others can join a story, and when the rest is announced as one summary. */
export const STORY_MS = 60_000;

/** A story that others can join. */
export type OpenStory = {
  id: string;
  organizationId: string;
  /** When its first change was decided, in epoch milliseconds. */
  startedAt: number;
  /** What all of its changes have in common; a recovery: the story of the outage that it ends. */
  causes: string[];
  /** Who began it. */
  firstMonitorId: string;
  /** Monitors that have a change in it. */
  monitorIds: string[];
};

/** A change that people are to be notified of. */
export type StoryChange = {
  organizationId: string;
  monitorId: string;
  /** What could have caused it; empty for a recovery. */
  causes: string[];
  /** For a recovery: the story of the outage that it ends. */
  endsStoryId: string | null;
};

/** Where a change belongs; null: it stands alone. */
export type StoryPlace = { storyId: string; isFirst: boolean } | null;

type Joined = { places: ReadonlyMap<StoryChange, StoryPlace>; stories: OpenStory[] };

/**
 * Finds for each change, in order, the story that it belongs to: the oldest of the last 60 seconds with which it shares a cause, or a new
 * one. What a story has in common narrows with every change, so that all of its changes have the same cause. A recovery belongs to the
 * recoveries from the same story, or to the story itself if nobody heard of the outage that it ends. A monitor that changes again
 * stands alone: people are notified at once. Returns the new and changed stories too.
 */
export function joinStories(
  open: readonly OpenStory[],
  changes: readonly StoryChange[],
  now: number,
  createStoryId: () => string,
): Joined {
  const stories = open.map((story) => ({ ...story, monitorIds: [...story.monitorIds] }));
  const isOpen = ({ startedAt }: OpenStory) => now - startedAt < STORY_MS;
  const changed = new Set<OpenStory>();
  const placeOf = (change: StoryChange): StoryPlace => {
    const { organizationId, monitorId, endsStoryId } = change;
    const causes = endsStoryId === null ? change.causes : [`recovery:${endsStoryId}`];
    if (causes.length === 0) return null;
    const own = stories.filter((story) => story.organizationId === organizationId && isOpen(story));
    const unannounced = own.find(
      ({ id, firstMonitorId }) => id === endsStoryId && firstMonitorId !== monitorId,
    );
    if (unannounced !== undefined) {
      changed.add(unannounced);
      return { storyId: unannounced.id, isFirst: false };
    }
    const joined = own.find((story) => story.causes.some((cause) => causes.includes(cause)));
    if (joined?.monitorIds.includes(monitorId)) return null;
    if (joined !== undefined) {
      joined.causes = joined.causes.filter((cause) => causes.includes(cause));
      joined.monitorIds.push(monitorId);
      changed.add(joined);
      return { storyId: joined.id, isFirst: false };
    }
    const story = {
      id: createStoryId(),
      organizationId,
      startedAt: now,
      causes,
      firstMonitorId: monitorId,
      monitorIds: [monitorId],
    };
    stories.push(story);
    changed.add(story);
    return { storyId: story.id, isFirst: true };
  };
  const places = new Map(changes.map((change) => [change, placeOf(change)]));
  return { places, stories: [...changed] };
}
