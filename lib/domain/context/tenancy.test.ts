import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import type { OrganizationContext } from './organization-context';
import { VERB_CALLS } from './testing/verb-calls';
import { createWorld } from './testing/world';
import { noteWrittenRows } from './testing/written-rows';

const database = useSharedDatabase();
/** IDs of resources in rows and results. */
const IDS = /\b[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}\b/g;

let owner: OrganizationContext;
let stranger: OrganizationContext;
/** The IDs of the owner's organization and of everything in it. */
let owned: Set<string>;
let readWritten: () => Promise<string[]>;

beforeAll(async () => {
  const services = createTestServices({ db: database.db });
  const asOwner = async (): Promise<OrganizationContext> => {
    const { ctx, userId } = await createTestOrganization(services);
    return { ...ctx, actor: { kind: 'user', userId, role: 'owner' } };
  };
  stranger = await asOwner();
  readWritten = await noteWrittenRows(database.db);
  owner = await asOwner();
  owned = idsIn(await readWritten());
});

function idsIn(value: unknown): Set<string> {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part)) ?? '';
  return new Set(text.match(IDS));
}

const isOwned = (id: string) => owned.has(id);

// Server actions and pages access an organization's resources only through these verbs.
describe.each(Object.entries(VERB_CALLS))('%s, called by the owner of another organization', (_, verb) => {
  it('changes nothing, reveals nothing, and behaves as if the resource did not exist', async () => {
    const call = await verb.prepare(createWorld(owner));
    const prepared = [...idsIn(await readWritten())].filter((id) => !isOwned(id));
    for (const id of prepared) owned.add(id);
    let response: unknown = null;
    let rejection: unknown = null;
    try {
      response = await call(stranger);
    } catch (error) {
      rejection = error;
    }
    expect((await readWritten()).filter((row) => [...idsIn(row)].some(isOwned))).toEqual([]);
    expect([...idsIn(response)].filter(isOwned)).toEqual([]);
    if (rejection !== null)
      expect(rejection).toMatchObject({ code: expect.stringMatching(/^(NOT_FOUND|UNKNOWN_MONITOR)$/) });
    // Bulk verbs ignore unknown IDs and return how many they changed.
    else if (verb.writes && prepared.length > 0) expect(Object.values(response ?? {})).toEqual([0]);
  });
});

it('a change of one row of the owner is noticed', async () => {
  const { organizationId } = owner;
  await database.db.organization.update({ where: { id: organizationId }, data: { name: 'Changed' } });
  expect((await readWritten()).filter((row) => [...idsIn(row)].some(isOwned))).toHaveLength(2);
});
