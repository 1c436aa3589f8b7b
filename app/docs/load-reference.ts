import 'server-only';
import { writeDocument } from '@/app/api/openapi.json/describe';
import { readBaseUrl } from '@/app/base-url';
import type { ApiDocument } from '@/components/docs/openapi';
import { type Reference, readReference } from '@/components/docs/reference';
import { getEnvironment } from '@/lib/env';
import { readGuides } from './read-guides';

/** Only the last one: the address may come from a request, so there is no limit to how many there are. */
let cached: { baseUrl: string; reference: Reference } | undefined;

/**
 * The guides, and the reference from the OpenAPI document, for the address at which this visitor reaches the service. `baseUrl`
 * ends in `/api`.
 */
export async function loadReference() {
  const serviceName = getEnvironment().SERVICE_NAME;
  const publicUrl = await readBaseUrl();
  const baseUrl = `${publicUrl}/api`;
  if (cached?.baseUrl !== baseUrl) {
    const document: ApiDocument = JSON.parse(await writeDocument({ serviceName, baseUrl }));
    cached = { baseUrl, reference: readReference(document, baseUrl) };
  }
  return { serviceName, baseUrl, reference: cached.reference, guides: await readGuides(publicUrl) };
}
