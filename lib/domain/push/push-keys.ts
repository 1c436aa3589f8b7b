import { requireFound } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { createPushKeys, type PushKeys } from '@/lib/platform/push/post-push';

/** What the private key is sealed for. */
export const PUSH_KEYS_OWNER = 'instance/push';

/**
 * The public key by which browsers recognize this installation. The keys are created when the first member needs them, once: of several
 * processes the first wins. They stay, because every subscription is bound to them.
 */
export async function ensurePushKey(services: Pick<Services, 'db' | 'keyring'>): Promise<string> {
  const { db, keyring } = services;
  const known = await readPushKeys(services);
  if (known !== null) return known.publicKey;
  const { publicKey, privateKey } = createPushKeys();
  await db.instance.updateMany({
    where: { id: 1, pushPublicKey: null },
    data: { pushPublicKey: publicKey, pushPrivateKeySealed: keyring.seal(privateKey, PUSH_KEYS_OWNER) },
  });
  return requireFound(await readPushKeys(services), 'Push keys').publicKey;
}

/** The keys of this installation; null: nobody needed them yet. */
export async function readPushKeys({
  db,
  keyring,
}: Pick<Services, 'db' | 'keyring'>): Promise<PushKeys | null> {
  const row = await db.instance.findUnique({
    where: { id: 1 },
    select: { pushPublicKey: true, pushPrivateKeySealed: true },
  });
  if (!row?.pushPublicKey || !row.pushPrivateKeySealed) return null;
  const privateKey = keyring.open(row.pushPrivateKeySealed, PUSH_KEYS_OWNER);
  return { publicKey: row.pushPublicKey, privateKey };
}
