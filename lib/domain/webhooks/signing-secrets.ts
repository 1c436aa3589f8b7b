import type { Keyring } from '@/lib/core/keyring';

/** The secrets of an endpoint as its row holds them. */
export type SealedSecrets = {
  secretSealed: Uint8Array;
  nextSecretSealed: Uint8Array | null;
  rotationEndsAt: Date | null;
};

/** The secret that signs, and while it is rotated the new one beside it. */
export type SigningSecrets = { current: string; next: string | null };

/** How long the old secret goes on signing after a rotation, in milliseconds, unless it is finished before. */
export const ROTATION_MS = 24 * 3_600_000;

/** Whether two secrets are valid at `now`. A rotation ends by time alone: nobody has to write anything then. */
export function isRotating({ rotationEndsAt }: Pick<SealedSecrets, 'rotationEndsAt'>, now: Date): boolean {
  return rotationEndsAt !== null && rotationEndsAt > now;
}

/** Opens the secrets of the endpoint `id` that are valid at `now`. */
export function openSigningSecrets(
  keyring: Keyring,
  id: string,
  sealed: SealedSecrets,
  now: Date,
): SigningSecrets {
  const { secretSealed, nextSecretSealed } = sealed;
  const next = nextSecretSealed && keyring.open(nextSecretSealed, id);
  if (next !== null && !isRotating(sealed, now)) return { current: next, next: null };
  return { current: keyring.open(secretSealed, id), next };
}
