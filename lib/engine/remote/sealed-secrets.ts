import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import {
  describeField,
  monitorDefaults,
  PROBED_FIELDS,
  type ProbeTarget,
  SECRET_FIELDS,
  type SecretField,
} from '@/lib/schemas/monitor/fields';

/** HPKE (RFC 9180) with X25519, HKDF-SHA256 and AES-256-GCM. */
const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

/** The secrets of a response, sealed to the key of one probe; both parts are base64. */
export type SealedProbeSecrets = { encapsulated: string; content: string };

type Holder = { target: ProbeTarget };
/** For each target, its secret fields that have a value. */
type Secrets = Partial<ProbeTarget>[];

/** A list of targets as it is sent. */
export type SealedList<Item> = { items: Item[]; sealed: SealedProbeSecrets | null };

/** The keys of one probe process. The private one never leaves it. */
export type SealingKeys = Awaited<ReturnType<typeof createSecretKeys>>;

/** Creates the keys of a probe process. */
export async function createSecretKeys() {
  const { publicKey, privateKey } = await suite.kem.generateKeyPair();
  return {
    /** In base64. */
    publicKey: Buffer.from(await suite.kem.serializePublicKey(publicKey)).toString('base64'),
    /**
     * Puts the secrets of a response back into its targets, and the defaults of fields that the service does not know yet: a probe can be newer.
     * Rejects if the secrets were sealed to another key, or changed.
     */
    restore: async <Item extends Holder>({ items, sealed }: SealedList<Item>): Promise<Item[]> => {
      if (sealed === null) return items.map((item) => ({ ...item, target: complete(item.target) }));
      const recipient = { recipientKey: privateKey, enc: Buffer.from(sealed.encapsulated, 'base64') };
      const opened = await suite.open(recipient, Buffer.from(sealed.content, 'base64'));
      const secrets: Secrets = JSON.parse(Buffer.from(opened).toString());
      return items.map((item, place) => ({
        ...item,
        target: { ...complete(item.target), ...secrets[place] },
      }));
    },
  };
}

/** Shared by all targets, which a probe has in memory by the thousand. */
const PROBED_DEFAULTS: Partial<ProbeTarget> = Object.fromEntries(
  PROBED_FIELDS.flatMap((name) => (name in monitorDefaults ? [[name, describeField(name).default]] : [])),
);

function complete(target: ProbeTarget): ProbeTarget {
  return { ...PROBED_DEFAULTS, ...target };
}

const { privateKey: tried } = generateKeyPairSync('x25519');

/** Whether something can be sealed to a public key in base64. Not to zeros and a few others, with which every secret would be the same. */
export function isUsableKey(publicKey: string): boolean {
  try {
    const x = Buffer.from(publicKey, 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
    return diffieHellman({ privateKey: tried, publicKey: key }).length > 0;
  } catch {
    return false;
  }
}

/** Takes the secrets out of targets, and seals them to the key of the probe that they are sent to. Null: there are none. */
export async function sealSecrets<Item extends Holder>(
  items: readonly Item[],
  publicKey: string,
): Promise<SealedList<Item>> {
  const named = items.map(({ target }) => SECRET_FIELDS.filter((name) => hasValue(target, name)));
  if (named.every((names) => names.length === 0)) return { items: [...items], sealed: null };
  const secrets: Secrets = items.map(({ target }, place) => pick(target, named[place] ?? []));
  const bare = items.map((item, place) => ({
    ...item,
    target: { ...item.target, ...pick(monitorDefaults, named[place] ?? []) },
  }));
  const recipientPublicKey = await suite.kem.deserializePublicKey(Buffer.from(publicKey, 'base64'));
  const { enc, ct } = await suite.seal({ recipientPublicKey }, Buffer.from(JSON.stringify(secrets)));
  const base64 = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64');
  return { items: bare, sealed: { encapsulated: base64(enc), content: base64(ct) } };
}

function hasValue(target: ProbeTarget, name: SecretField): boolean {
  return JSON.stringify(target[name]) !== JSON.stringify(monitorDefaults[name]);
}

function pick(source: Partial<ProbeTarget>, names: readonly SecretField[]): Partial<ProbeTarget> {
  return Object.fromEntries(names.map((name) => [name, source[name]]));
}
