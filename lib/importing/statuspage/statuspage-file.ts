import { z } from 'zod';
import { invalidState } from '@/lib/core/errors';
import { decodeJson, decodeText } from '../files/decode';
import {
  isRecord,
  looseFlag,
  looseList,
  looseNumber,
  looseText,
  looseTexts,
  looseWord,
} from '../files/loose';

const text = looseText.transform((value) => (value ?? '').trim());

/** The objects of a list, or of none. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  looseList.transform((list) => list.filter(isRecord).map((record) => item.parse(record)));

/** https://developer.statuspage.io/: the same for the API with a key and the one of every public page. */
const schemas = {
  component: z.object({
    id: text,
    name: text,
    description: text,
    position: looseNumber,
    group: looseFlag,
    group_id: looseWord,
    only_show_if_degraded: looseFlag,
  }),
  subscriber: z.object({
    mode: text,
    email: text,
    components: looseTexts,
    quarantined_at: looseWord,
    purge_at: looseWord,
    // No field of the API, but what its list can be filtered by: our documentation says how to add it.
    state: looseWord,
  }),
  incident: z.object({
    id: text,
    name: text,
    status: text,
    impact: text,
    impact_override: looseWord,
    created_at: looseWord,
    updated_at: looseWord,
    started_at: looseWord,
    resolved_at: looseWord,
    postmortem_body: looseWord,
    postmortem_published_at: looseWord,
    components: listOf(z.object({ id: text })),
    incident_updates: listOf(
      z.object({
        status: text,
        body: text,
        created_at: looseWord,
        display_at: looseWord,
        affected_components: listOf(z.object({ code: text, new_status: text })),
      }),
    ),
  }),
  page: z.object({ name: text, subdomain: looseWord, domain: looseWord }),
};
export type Component = z.output<typeof schemas.component>;
export type IncidentRecord = z.output<typeof schemas.incident>;
export type ListedSubscriber = z.output<typeof schemas.subscriber>;

export type StatuspageFile = {
  page: z.output<typeof schemas.page>;
  components: Component[];
  subscribers: ListedSubscriber[];
  /** With scheduled maintenance. */
  incidents: IncidentRecord[];
};

/** Most bytes of a file: each incident repeats the components that it affected. */
export const MAX_STATUSPAGE_BYTES = 64 * 1024 * 1024;

const HINT =
  'Choose summary.json of the page, or the JSON responses of the components, incidents and subscribers APIs.';
const LISTS = ['components', 'incidents', 'scheduled_maintenances', 'subscribers'];

/** The parts of a file: one response, or several in an array or below their names. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export function readStatuspageFile(file: Uint8Array): StatuspageFile {
  const records = listRecords(decodeJson(decodeText(file, HINT, MAX_STATUSPAGE_BYTES), HINT));
  const of = (kind: string) => records.filter((record) => kindOf(record) === kind);
  const components = of('component').map((record) => schemas.component.parse(record));
  if (components.length === 0) throw invalidState(`The JSON has no components of Statuspage. ${HINT}`);
  const pages = of('page');
  return {
    // The page of the API with a key has its subdomain.
    page: schemas.page.parse(pages.find((page) => 'subdomain' in page) ?? pages[0] ?? {}),
    components: unique(components),
    subscribers: of('subscriber').map((record) => schemas.subscriber.parse(record)),
    incidents: unique(of('incident').map((record) => schemas.incident.parse(record))),
  };
}

/** Responses overlap: of several records with an ID, the last. */
function unique<Item extends { id: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Every record of the responses. Those that contain lists of them are replaced by what they contain. */
function listRecords(parsed: unknown): Record<string, unknown>[] {
  const responses = (Array.isArray(parsed) ? parsed.flat(1) : [parsed]).filter(isRecord);
  return responses.flatMap((response) => {
    if (kindOf(response) !== 'page') return [response];
    const lists = LISTS.flatMap((name) => looseList.parse(response[name])).filter(isRecord);
    return isRecord(response.page) ? [response.page, ...lists] : [response, ...lists];
  });
}

function kindOf(record: Record<string, unknown>): string {
  if (typeof record.group === 'boolean') return 'component';
  if ('incident_updates' in record || 'impact' in record) return 'incident';
  return 'mode' in record ? 'subscriber' : 'page';
}
