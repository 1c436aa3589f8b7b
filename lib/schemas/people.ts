import { z } from 'zod';
import { emailAddress } from './email-address';
import { passwordSchema } from './organization';
import { text } from './text';

/** A password as it is tried: any that may have been set. The upper bound is looked at before anything is hashed. */
const triedPassword = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(256, 'must be at most 256 characters');

/** What a person signs in with. */
export const signInSchema = z.strictObject({ email: emailAddress, password: triedPassword });

/** An address that asks for a link: to a new password, or to an account. */
export const linkRequestSchema = z.strictObject({ email: emailAddress });

/** A new password set by a link. */
export const resetPasswordSchema = z.strictObject({ token: z.string().max(200), password: passwordSchema });

/** A new password set by who knows the old one. */
export const changePasswordSchema = z.strictObject({
  currentPassword: triedPassword,
  newPassword: passwordSchema,
});

/** What a person may say of themselves. An empty name is none. */
export const profileSchema = z.strictObject({
  name: text(0, 100)
    .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'must be on one line')
    .transform((name) => name || null),
});

/** What an account begins with, once its address is confirmed. */
export const signUpSchema = z.strictObject({
  token: z.string().max(200),
  name: text(1, 100),
  password: passwordSchema,
});
