import type { Stored, StoredResources } from '@/lib/as-code/plan';
import { type SectionName, sectionOf } from '@/lib/as-code/sections';
import type { Api } from '../remote/api';

/** What the service has in these sections; the monitors always, because others refer to them. */
export async function readStored(api: Api, sections: readonly SectionName[]): Promise<StoredResources> {
  const stored: StoredResources = { monitors: await readAll(api, 'monitors') };
  for (const section of sections) {
    if (section !== 'monitors') stored[section] = await readAll(api, section);
  }
  return stored;
}

async function readAll(api: Api, section: SectionName): Promise<Stored[]> {
  const found: Stored[] = [];
  for await (const each of api.list<Stored>(sectionOf(section).path)) found.push(each);
  // The oldest first, so that a file keeps its order when something is added.
  return found.reverse();
}
