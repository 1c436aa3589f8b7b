import { HIDDEN, hideHeaders, hideUrl } from '@/lib/schemas/hidden';
import type { StoredEvidence } from '@/lib/schemas/monitor/evidence';

/**
 * Evidence for readers who may not change the monitor, and thus not see its secrets: a target can repeat what it was sent. Bodies,
 * most header values and the paths of redirects are hidden.
 */
export function hideEvidence<Item extends StoredEvidence>(evidence: Item): Item {
  const { headers, redirects, body } = evidence;
  return {
    ...evidence,
    headers: hideHeaders(headers),
    redirects: redirects.map((redirect) => ({ ...redirect, location: hideLocation(redirect.location) })),
    body: body && { ...body, text: body.text === null ? null : HIDDEN },
  };
}

function hideLocation(location: string): string {
  return URL.canParse(location) ? hideUrl(location) : HIDDEN;
}
