import { promisify } from 'node:util';
import { deflateSync, inflate, inflateSync } from 'node:zlib';
import type { Evidence } from '@/lib/checks/evidence';
import { forMembers } from '@/lib/checks/for-members';
import type { ProbeResult } from '@/lib/checks/result';
import { createId } from '@/lib/core/ids';
import type { Keyring } from '@/lib/core/keyring';
import { parseJson } from '@/lib/core/parse-json';
import { type StoredEvidence, storedEvidenceSchema } from '@/lib/schemas/monitor/evidence';

/** Bodies, headers and names are bounded; what inflates to more was not written here. */
const MAX_BYTES = 1024 * 1024;

/** What of a result is stored with what it saw. */
type Reported = Pick<ProbeResult, 'error' | 'responseTime' | 'statusCode' | 'phases'>;

/** What a check saw as it is stored: compressed, then encrypted for the row with this ID. */
export type SealedEvidence = { id: string; content: Uint8Array<ArrayBuffer> };

/**
 * Seals what a check saw, as `show` returns it. Rejects if it cannot be shown.
 */
export async function sealEvidence(
  keyring: Keyring,
  result: Reported,
  show: () => Evidence,
): Promise<SealedEvidence> {
  return sealPacked(keyring, await packEvidence(result, show));
}

/**
 * Packs what a check saw, as `show` returns it, for a process that can seal it. Compresses in this thread, because handing a few
 * kilobytes to another one takes ten times as long: when a data center fails, so do the checks of thousands of monitors. Rejects if it
 * cannot be shown.
 */
export async function packEvidence(
  { error, responseTime, statusCode, phases }: Reported,
  show: () => Evidence,
): Promise<Uint8Array> {
  const content: StoredEvidence = {
    responseTime,
    statusCode,
    errorCode: error?.code ?? null,
    errorMessage: forMembers(error)?.message ?? null,
    phases,
    ...show(),
  };
  return deflateSync(JSON.stringify(content));
}

const inflateElsewhere = promisify(inflate);

/**
 * Seals what another process packed, and returns it with its inflated size in bytes. Inflates in another thread, and at most `maxBytes`.
 * Rejects if it is not evidence, or larger.
 */
export async function sealForeign(
  keyring: Keyring,
  packed: Uint8Array,
  maxBytes: number,
): Promise<{ sealed: SealedEvidence; size: number }> {
  const bytes = await inflateElsewhere(packed, { maxOutputLength: Math.min(maxBytes, MAX_BYTES) });
  storedEvidenceSchema.parse(parseJson(bytes.toString()));
  return { sealed: sealPacked(keyring, packed), size: bytes.length };
}

function sealPacked(keyring: Keyring, packed: Uint8Array): SealedEvidence {
  const id = createId('evidence');
  return { id, content: keyring.sealBytes(packed, id) };
}

/** Opens what `sealEvidence` sealed, in any version. Throws if it cannot be decrypted. */
export function openEvidence(keyring: Keyring, { id, content }: SealedEvidence): StoredEvidence {
  const bytes = inflateSync(keyring.openBytes(content, id), { maxOutputLength: MAX_BYTES });
  return storedEvidenceSchema.parse(JSON.parse(bytes.toString()));
}
