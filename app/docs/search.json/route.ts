import { listEntries } from '@/components/docs/reference';
import { listGuideEntries, readGuidePages } from '../guide/read-pages';
import { loadReference } from '../load-reference';

/** All possible search results of the documentation. */
export async function GET(): Promise<Response> {
  const { reference, guides } = await loadReference();
  const entries = [...listGuideEntries(await readGuidePages()), ...listEntries(reference, guides)];
  return Response.json(entries, {
    headers: { 'Cache-Control': 'public, max-age=300' },
  });
}
