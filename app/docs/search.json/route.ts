import { listEntries } from '@/components/docs/reference';
import { loadReference } from '../load-reference';

/** All possible search results of the API reference. */
export async function GET(): Promise<Response> {
  const { reference, guides } = await loadReference();
  return Response.json(listEntries(reference, guides), {
    headers: { 'Cache-Control': 'public, max-age=300' },
  });
}
