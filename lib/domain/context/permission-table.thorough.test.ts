import { beforeAll, expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import type { Actor, OrganizationContext } from './organization-context';
import { permits } from './permissions';
import {
  attempt,
  createActors,
  listEntriesAfter,
  prepare,
  type Run,
  readLastEntry,
} from './testing/verb-actors';
import { VERB_CALLS } from './testing/verb-calls';

const database = useTestDatabase();

let owner: OrganizationContext;
let actors: Record<string, Actor>;

beforeAll(async () => {
  ({ owner, actors } = await createActors(database.db));
});

it.each(Object.entries(VERB_CALLS))(
  '%s is open to exactly the permitted actors and returns secrets only to those who may change them',
  async (_, verb) => {
    let run: Run | null = null;
    for (const [name, actor] of Object.entries(actors)) {
      run ??= await prepare(verb, owner);
      const last = await readLastEntry(owner);
      const { rejection } = await attempt(run, { ...owner, actor }, name);
      if (permits({ actor }, verb.action)) expect(rejection, name).toBeNull();
      else {
        expect(rejection, name).toMatchObject({ code: 'FORBIDDEN' });
        expect(await listEntriesAfter(owner, last), name).toEqual([]);
      }
      // Only what may have changed is made again; a check leaves no entry, and there is none for a while after it.
      if (rejection === null && !verb.action.endsWith('.read')) run = null;
    }
  },
);
