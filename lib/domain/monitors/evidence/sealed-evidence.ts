import { promisify } from 'node:util';
import { deflate, inflateSync } from 'node:zlib';
import type { Evidence } from '@/lib/checks/evidence';
import type { ProbeResult } from '@/lib/checks/result';
import { createId } from '@/lib/core/ids';
import type { Keyring } from '@/lib/core/keyring';
import { type StoredEvidence, storedEvidenceSchema } from '@/lib/schemas/monitor/evidence';

const compress = promisify(deflate);
/** Bodies, headers and names are bounded; what inflates to more was not written here. */
const MAX_BYTES = 1024 * 1024;

/** What a check saw as it is stored: compressed, then encrypted for the row with this ID. */
export type SealedEvidence = { id: string; content: Uint8Array<ArrayBuffer> };

/**
 * Seals what a check saw, as `show` returns it. Compresses in another thread: when a data center fails, so do the checks of thousands of monitors.
 * Rejects if it cannot be shown.
 */
export async function sealEvidence(
  keyring: Keyring,
  { error, responseTime, statusCode, phases }: ProbeResult,
  show: () => Evidence,
): Promise<SealedEvidence> {
  const content: StoredEvidence = {
    responseTime,
    statusCode,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    phases,
    ...show(),
  };
  const id = createId('evidence');
  return { id, content: keyring.sealBytes(await compress(JSON.stringify(content)), id) };
}

/** Opens what `sealEvidence` sealed, in any version. Throws if it cannot be decrypted. */
export function openEvidence(keyring: Keyring, { id, content }: SealedEvidence): StoredEvidence {
  const bytes = inflateSync(keyring.openBytes(content, id), { maxOutputLength: MAX_BYTES });
  return storedEvidenceSchema.parse(JSON.parse(bytes.toString()));
}
