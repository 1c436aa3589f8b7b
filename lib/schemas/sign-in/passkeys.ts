import { z } from 'zod';
import { nameText } from '../text';

const MAX_BYTES_TEXT = 16_384;

const bytes = z
  .string('must be a string')
  .max(MAX_BYTES_TEXT, 'is too long')
  .regex(/^[A-Za-z0-9_-]*$/, 'must be base64url');

/** Of both responses: the ID of the key pair, at most 1023 bytes. */
const credential = {
  id: bytes.min(1, 'must not be empty').max(1364, 'is too long'),
  rawId: bytes,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).default({}),
};

/** What a browser returns after a passkey was used; what it adds is dropped. */
export const passkeyUseSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.optional(),
  }),
});

/** What a browser returns after a passkey was created. */
export const newPasskeySchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
});

/** What people call a passkey. */
export const passkeyNameSchema = z.strictObject({
  name: nameText(1, 60),
});

export type PasskeyResponse = z.output<typeof passkeyUseSchema>;
export type NewPasskeyResponse = z.output<typeof newPasskeySchema>;
