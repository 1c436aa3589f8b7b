import { isReadByPeople, type WebhookFormat } from '@/lib/webhook-formats/formats';

/** What the events of a change need to know of its story. */
export type StoryHold = {
  /** Identifies the change among those that are recorded together: all of its events are held, or none. */
  change: number;
  /** The endpoints that were sent something of the story; those that are now are added. */
  heardBy: Set<string>;
};

type Held = { story?: StoryHold; endpoints: readonly { id: string; format: WebhookFormat }[] };

/**
 * Leaves out, in order, the endpoints that get an event later, with the rest of its story: those in which people read what they get, and
 * that were sent an earlier change of it.
 */
export function holdForStories<Event extends Held>(events: readonly Event[]): Event[] {
  const knew = new Map<number, ReadonlySet<string>>();
  return events.map((event) => {
    const { story, endpoints } = event;
    if (story === undefined) return event;
    const before = knew.get(story.change) ?? new Set(story.heardBy);
    knew.set(story.change, before);
    const due = endpoints.filter(({ id, format }) => !isReadByPeople(format) || !before.has(id));
    for (const { id, format } of due) if (isReadByPeople(format)) story.heardBy.add(id);
    return { ...event, endpoints: due };
  });
}
