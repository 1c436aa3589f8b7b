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
  page: z.object({ name: text, subdomain: looseWord, domain: looseWord }),
};
export type Component = z.output<typeof schemas.component>;
export type ListedSubscriber = z.output<typeof schemas.subscriber>;

export type StatuspageFile = {
  page: z.output<typeof schemas.page>;
  components: Component[];
  subscribers: ListedSubscriber[];
  incidents: number;
  maintenances: number;
};

const HINT = 'Choose summary.json of the page, or the JSON responses of the components and subscribers APIs.';
const LISTS = ['components', 'incidents', 'scheduled_maintenances', 'subscribers'];

/** The parts of a file: one response, or several in an array or below their names. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export function readStatuspageFile(file: Uint8Array): StatuspageFile {
  const records = listRecords(decodeJson(decodeText(file, HINT), HINT));
  const of = (kind: string) => records.filter((record) => kindOf(record) === kind);
  const components = of('component').map((record) => schemas.component.parse(record));
  if (components.length === 0) throw invalidState(`The JSON has no components of Statuspage. ${HINT}`);
  const pages = of('page');
  const isMaintenance = (record: Record<string, unknown>) => record.impact === 'maintenance';
  return {
    // The page of the API with a key has its subdomain.
    page: schemas.page.parse(pages.find((page) => 'subdomain' in page) ?? pages[0] ?? {}),
    components: [...new Map(components.map((component) => [component.id, component])).values()],
    subscribers: of('subscriber').map((record) => schemas.subscriber.parse(record)),
    incidents: of('incident').filter((record) => !isMaintenance(record)).length,
    maintenances: of('incident').filter(isMaintenance).length,
  };
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
