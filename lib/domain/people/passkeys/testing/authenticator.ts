import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { NewPasskeyResponse, PasskeyResponse } from '@/lib/schemas/sign-in/passkeys';

/** What a test changes of an honest device and browser. */
type Lie = {
  origin?: string;
  rpId?: string;
  counter?: number;
  isVerified?: boolean;
  credentialId?: Buffer;
  /** A manufacturer's certificates in the attestation. */
  certificates?: Uint8Array<ArrayBuffer>[];
};

type Cbor = Parameters<typeof isoCBOR.encode>[0];

const FLAGS = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

/** A device with one passkey, and the browser in front of it, at `origin`. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ownId = randomBytes(32);
  let uses = 0;

  const clientData = (type: string, challenge: string, lie: Lie) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: lie.origin ?? origin, crossOrigin: false }));
  const dataOf = (lie: Lie, flags: number, rest = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lie.counter ?? uses);
    const verified = lie.isVerified === false ? 0 : FLAGS.verified;
    const backup = FLAGS.backupEligible | FLAGS.backedUp;
    const rpId = lie.rpId ?? new URL(origin).hostname;
    return Buffer.concat([sha256(rpId), Buffer.of(flags | verified | backup), counter, rest]);
  };
  const idOf = ({ credentialId = ownId }: Lie) => credentialId.toString('base64url');
  const credential = (lie: Lie) =>
    ({ id: idOf(lie), rawId: idOf(lie), type: 'public-key', clientExtensionResults: {} }) as const;

  return {
    id: ownId,
    /** Creates the passkey, as browsers return it. */
    create: ({ challenge }: { challenge: string }, lie: Lie = {}): NewPasskeyResponse => {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // COSE: key type EC2, algorithm ES256, curve P-256, and the point.
      const key = new Map<number, number | Uint8Array>([
        [1, 2] as const,
        [3, -7] as const,
        [-1, 1] as const,
        [-2, bytes(x)] as const,
        [-3, bytes(y)] as const,
      ]);
      const id = lie.credentialId ?? ownId;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)]);
      const statement = new Map<string, Cbor>(lie.certificates ? [['x5c', lie.certificates]] : []);
      const attestation = new Map<string, Cbor>([
        ['fmt', lie.certificates ? 'packed' : 'none'],
        ['attStmt', statement],
        ['authData', new Uint8Array(dataOf(lie, FLAGS.present | FLAGS.attested, attested))],
      ]);
      return {
        ...credential(lie),
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, lie).toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** Signs a challenge with it. */
    use: ({ challenge }: { challenge: string }, lie: Lie = {}): PasskeyResponse => {
      uses += 1;
      const client = clientData('webauthn.get', challenge, lie);
      const data = dataOf(lie, FLAGS.present);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return {
        ...credential(lie),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

function bytes(base64url: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64url, 'base64url'));
}
