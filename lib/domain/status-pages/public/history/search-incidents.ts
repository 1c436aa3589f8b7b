import { createLane } from '@/lib/core/calls/lane';
import type { Services } from '@/lib/domain/context/services';
import { type Gate, publicOnly } from '@/lib/domain/status-pages/access/check-access';
import { listRows } from '@/lib/domain/status-pages/sections/list-rows';
import { affects, type PageScope, scopeOf } from '@/lib/domain/status-pages/sections/page-scope';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { cleanSearch, splitSearch } from '@/lib/schemas/status-pages/incident-search';
import { serializeHead } from '../read-page-view';
import { listIncidentsById, publicTextOf, readMonitorNames } from '../read-public-incidents';
import { findPublishedPage } from '../read-public-page';

/** The incidents of a page in which every word was found. */
export type SearchView = Awaited<ReturnType<typeof readSearchView>>;

/**
 * Of the newest incidents of an organization, the newest of a page are searched with the newest updates of each, and the newest of those
 * found are shown.
 */
const MAX_CONSIDERED = 5000;
const MAX_SEARCHED = 1000;
const MAX_UPDATES = 100;
const MAX_FOUND = 50;

/** A search reads a thousand times as much as a page: so many run at once in a process, each on one connection, and others wait. */
const searches = createLane({ running: 2, waiting: 20 });

/**
 * Finds the incidents of a page by the words of `text`, in any order and case, in what the page shows of them: titles, descriptions,
 * updates, published postmortems, and the names of affected rows. Throws NOT_FOUND for a page that is unknown or unpublished, and
 * UNAVAILABLE while many others search.
 */
export function readSearchView(
  services: Pick<Services, 'db' | 'clock'>,
  slug: string,
  text: string,
  admit: Gate = publicOnly,
) {
  return searches.run(() => search(services, { slug, text, admit }));
}

async function search(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { slug, text, admit }: { slug: string; text: string; admit: Gate },
) {
  const page = await findPublishedPage(db, slug, admit);
  const scope = scopeOf(page);
  const now = clock.now();
  const rows = listRows(page, await readMonitorNames(db, scope.monitorIds));
  const words = splitSearch(text);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const found = words.length === 0 ? [] : await findIncidents(db, scope, { words, names });
  const shown = found.slice(0, MAX_FOUND);
  return {
    page: serializeHead(page, now),
    asOf: now.toISOString(),
    rows,
    /** What was searched for; empty: nothing yet. */
    text: cleanSearch(text),
    incidents: await listIncidentsById({ db }, scope, shown),
    /** Whether there were more incidents than listed. */
    isCut: found.length > MAX_FOUND,
  };
}

type Row = {
  id: string;
  automatic: boolean;
  monitorId: string | null;
  title: string;
  description: string;
  /** Messages that the service wrote. */
  written: string[];
  affected: string[];
  /** For each word, whether it is in what people wrote. */
  hits: boolean[];
};

/**
 * The IDs of the incidents with all words, newest first. What the service wrote is compared here, because it may have the monitor's own
 * name, which a page that gives it another one does not reveal.
 */
async function findIncidents(
  db: Pick<Database, '$queryRaw'>,
  scope: PageScope,
  { words, names }: { words: readonly string[]; names: ReadonlyMap<string, string> },
): Promise<string[]> {
  const rows = await readCandidates(db, scope, words);
  const found = rows.filter((row) => {
    const updates = row.written.map((message) => ({ message, isOwn: true }));
    const rename = publicTextOf({ ...row, updates }, scope);
    const shown = [row.title, row.description, ...row.written].map(rename);
    const affected = row.affected.flatMap((id) => names.get(id) ?? []);
    const text = [...shown, ...affected].join('\n').toLowerCase();
    return words.every((word, place) => row.hits[place] || text.includes(word));
  });
  return found.map(({ id }) => id);
}

/** The texts in a column of translations. */
function translated(translations: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT string_agg(text #>> '{}', E'\\n') FROM jsonb_path_query(${translations}, '$.*.*') AS text)`;
}

/** Reads the newest incidents of a page, of those that an index has in order. Texts that people wrote can be long: of those, only what was found in them leaves the database. */
function readCandidates(
  db: Pick<Database, '$queryRaw'>,
  scope: PageScope,
  words: readonly string[],
): Promise<Row[]> {
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  return db.$queryRaw<Row[]>`
    SELECT id, automatic, "monitorId", affected,
           CASE WHEN automatic THEN title ELSE '' END AS title,
           CASE WHEN automatic THEN description ELSE '' END AS description,
           CASE WHEN automatic THEN written ELSE '{}' END AS written,
           ARRAY(SELECT typed ILIKE pattern
                   FROM unnest(${patterns}::text[]) WITH ORDINALITY AS wanted (pattern, place)
                  ORDER BY place) AS hits
      FROM (SELECT id, automatic, monitor_id AS "monitorId", title, description, translations,
                   affected_monitors || affected_components AS affected, postmortem, postmortem_published_at
              FROM (SELECT id, organization_id, automatic, monitor_id, title, description, translations,
                           affected_monitors, affected_components,
                           postmortem, postmortem_published_at, started_at, created_at
                      FROM incident
                     WHERE organization_id = ${scope.organizationId}
                     ORDER BY created_at DESC
                     LIMIT ${MAX_CONSIDERED}) AS incident
             WHERE ${affects(scope)}
             ORDER BY started_at DESC, id DESC
             LIMIT ${MAX_SEARCHED}) AS incident
           CROSS JOIN LATERAL (
             SELECT coalesce(array_agg(message) FILTER (WHERE author IS NULL), '{}') AS written,
                    concat_ws(E'\n', string_agg(message, E'\n') FILTER (WHERE author IS NOT NULL OR NOT automatic),
                              string_agg(${translated(Prisma.sql`incident_update.translations`)}, E'\n'),
                              ${translated(Prisma.sql`incident.translations`)},
                              CASE WHEN NOT automatic THEN title || E'\n' || description END,
                              CASE WHEN postmortem_published_at IS NOT NULL THEN postmortem END) AS typed
               FROM (SELECT author, message, translations, created_at
                       FROM incident_update
                      WHERE incident_id = incident.id
                      ORDER BY created_at DESC
                      LIMIT ${MAX_UPDATES}) AS incident_update) AS texts`;
}
