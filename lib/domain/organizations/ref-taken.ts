import { DomainError } from '@/lib/core/errors';

/** What can have a `ref`. */
export type RefOwner = 'monitor' | 'webhook endpoint';

/** The error for a `ref` in use. The organization is locked when one is set. */
export function refTaken(owner: RefOwner): DomainError {
  return new DomainError('REF_TAKEN', `Another ${owner} of this organization already has this ID.`, [
    { path: 'ref', code: 'taken', message: `is already used by another ${owner}` },
  ]);
}
