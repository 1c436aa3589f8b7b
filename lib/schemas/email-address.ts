import { z } from 'zod';

/**
 * An email address for sign-in and for sending mail: lower case, at most 254 characters, ASCII only because look-alike letters
 * could create a second account.
 */
export const emailAddress = z
  .string('must be a string')
  .trim()
  .max(254, 'must be at most 254 characters')
  .regex(/^[\x21-\x7e]+$/, 'must be a valid email address')
  .pipe(z.email('must be a valid email address'))
  .transform((address) => address.toLowerCase());

/** An address with an optional display name. */
export type Mailbox = { name: string | null; address: string };

const MAILBOX = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/;

/** A name and an address are shorter. */
const mailboxText = z.string().max(400, { error: 'must be at most 400 characters', abort: true });

/** `Name <address>` or an address alone. */
export const mailboxSchema = mailboxText.transform((text, context): Mailbox => {
  const [, name = '', inBrackets, alone] = MAILBOX.exec(text.trim()) ?? [];
  const address = emailAddress.safeParse(inBrackets ?? alone);
  if (address.success && !/\p{Cc}/u.test(name)) return { name: name.trim() || null, address: address.data };
  context.addIssue({
    code: 'custom',
    message: 'must be an email address with an optional name, such as Pharos <pharos@example.com>',
  });
  return z.NEVER;
});
