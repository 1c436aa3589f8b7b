import { DomainError } from '@/lib/core/errors';
import type { Incident } from '@/lib/platform/db/generated/client';
import type { IncidentChanges } from '@/lib/schemas/incident';

type Columns = Pick<Incident, 'postmortem' | 'postmortemPublishedAt'>;
type Changes = Pick<IncidentChanges, 'postmortem' | 'postmortemPublished'>;

/**
 * What becomes of a postmortem. One that is taken away is published no more; one that stays published keeps the moment at
 * which it was. Throws VALIDATION_ERROR where nothing is there to publish.
 */
export function changePostmortem(before: Columns, changes: Changes, now: Date): Columns {
  const { postmortem = before.postmortem, postmortemPublished } = changes;
  if (postmortem === null && postmortemPublished === true) {
    const message = 'needs a postmortem to publish';
    const detail = { path: 'postmortemPublished', code: 'custom', message };
    throw new DomainError('VALIDATION_ERROR', 'The request is not valid: postmortemPublished.', [detail]);
  }
  const isPublished = postmortem !== null && (postmortemPublished ?? before.postmortemPublishedAt !== null);
  return { postmortem, postmortemPublishedAt: isPublished ? (before.postmortemPublishedAt ?? now) : null };
}
