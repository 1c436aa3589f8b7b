import { beforeAll, describe, expect, it } from 'vitest';
import { readOwnedRows } from '@/app/api/testing/owned-rows';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import type { OrganizationContext } from './organization-context';
import { VERB_CALLS } from './testing/verb-calls';
import { createWorld } from './testing/world';

const database = useTestDatabase();
/** IDs of resources in rows and results. */
const IDS = /\b[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}\b/g;

/** The owner's IDs from previous calls. */
const known = new Set<string>();
let owner: OrganizationContext;
let stranger: OrganizationContext;

beforeAll(async () => {
  const services = createTestServices({ db: database.db });
  const asOwner = async (): Promise<OrganizationContext> => {
    const { ctx, userId } = await createTestOrganization(services);
    return { ...ctx, actor: { kind: 'user', userId, role: 'owner' } };
  };
  [owner, stranger] = [await asOwner(), await asOwner()];
  for (const id of idsIn(await readOwned())) known.add(id);
});

/** Every row that contains the owner's organization ID or one of `ids`. */
const readOwned = (ids: string[] = []) => readOwnedRows(database.db, [owner.organizationId, ...ids]);

function idsIn(value: unknown): Set<string> {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part)) ?? '';
  return new Set(text.match(IDS));
}

// Server actions and pages access an organization's resources only through these verbs.
describe.each(Object.entries(VERB_CALLS))('%s, called by the owner of another organization', (_, verb) => {
  it('changes nothing, reveals nothing, and behaves as if the resource did not exist', async () => {
    const call = await verb.prepare(createWorld(owner));
    const theirs = [...idsIn(await readOwned())].filter((id) => !known.has(id));
    for (const id of theirs) known.add(id);
    const before = await readOwned(theirs);
    let response: unknown = null;
    let rejection: unknown = null;
    try {
      response = await call(stranger);
    } catch (error) {
      rejection = error;
    }
    expect(await readOwned(theirs)).toEqual(before);
    const leaked = [...idsIn(response)].filter((id) => theirs.includes(id) || id === owner.organizationId);
    expect(leaked).toEqual([]);
    if (rejection !== null)
      expect(rejection).toMatchObject({ code: expect.stringMatching(/^(NOT_FOUND|UNKNOWN_MONITOR)$/) });
    // Bulk verbs ignore unknown IDs and return how many they changed.
    else if (verb.writes && theirs.length > 0) expect(Object.values(response ?? {})).toEqual([0]);
  });
});
