import { forgetPreviousKeys } from '@/lib/domain/context/check-secret-key';
import type { Services } from '@/lib/domain/context/services';
import { countOutdated, resealBatch } from './reseal-column';
import { SEALED_COLUMNS } from './sealed-columns';

/** How far a rotation is: of a column, or of all of them. */
export type Progress = { column: string; resealed: number; outdated: number };

/**
 * Seals everything anew that is not sealed under the current key, and then says that the previous ones open nothing any
 * more. Every value is under one key or the other at any time, and each says under which: it may be interrupted anywhere,
 * and called again. Processes that know both keys go on working meanwhile; what one that still seals under a previous key
 * adds is found by the next look. Answers how many values were sealed anew. Throws where a value opens under none of
 * the keys.
 */
export async function rotateSecrets(
  services: Pick<Services, 'db' | 'keyring'>,
  tell: (progress: Progress) => void = () => {},
): Promise<number> {
  let resealed = 0;
  let found: number;
  do {
    found = 0;
    for (const sealed of SEALED_COLUMNS) {
      const outdated = await countOutdated(services, sealed);
      resealed += await resealColumn(services, sealed, outdated, tell);
      found += outdated;
    }
  } while (found > 0);
  await forgetPreviousKeys(services);
  return resealed;
}

async function resealColumn(
  services: Pick<Services, 'db' | 'keyring'>,
  sealed: (typeof SEALED_COLUMNS)[number],
  outdated: number,
  tell: (progress: Progress) => void,
): Promise<number> {
  let resealed = 0;
  while (resealed < outdated) {
    const batch = await resealBatch(services, sealed);
    if (batch === 0) break;
    resealed += batch;
    tell({ column: `${sealed.table}.${sealed.column}`, resealed, outdated });
  }
  return resealed;
}
