import { z } from 'zod';

/**
 * An e-mail address, as people sign in with it and as mail is sent to it: ASCII only, so that look-alike letters make no
 * second account and no second @; lower case, at most 254 characters.
 */
export const emailAddress = z
  .string('must be a string')
  .trim()
  .max(254, 'must be at most 254 characters')
  .regex(/^[\x21-\x7e]+$/, 'must be an e-mail address')
  .pipe(z.email('must be an e-mail address'))
  .transform((address) => address.toLowerCase());

/** An address with the name to show for it, which may be missing. */
export type Mailbox = { name: string | null; address: string };

const MAILBOX = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/;

/** `Name <address>`, or an address alone. */
export const mailboxSchema = z.string().transform((text, context): Mailbox => {
  const [, name = '', inBrackets, alone] = MAILBOX.exec(text.trim()) ?? [];
  const address = emailAddress.safeParse(inBrackets ?? alone);
  if (address.success && !/\p{Cc}/u.test(name)) return { name: name.trim() || null, address: address.data };
  context.addIssue({
    code: 'custom',
    message: 'must be an e-mail address, with a name or without, such as Pharos <pharos@example.com>',
  });
  return z.NEVER;
});
