import { z } from 'zod';

/** Comma-separated values; empty by default. */
export const list = (isValid: (value: string) => boolean, message: string) =>
  z
    .string()
    .transform(splitList)
    .refine((values) => values.every(isValid), message)
    .default([]);

/** The parts of a comma-separated text, trimmed, without empty ones. */
export const splitList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A whole number in a range. */
export const integer = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  const isInRange = (value: number) => value >= minimum && value <= maximum;
  return z.string().regex(/^\d+$/, message).transform(Number).refine(isInRange, message);
};

/** The URL of a PostgreSQL database. */
export const postgresUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'postgresql:' || protocol === 'postgres:') && hostname !== '';
}, 'must be a PostgreSQL URL such as postgresql://user:password@host:5432/pharos');

/** The public address of a service: an http or https origin. */
export const appUrl = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, pathname, search, hash, username } = new URL(text);
    return /^https?:$/.test(protocol) && pathname === '/' && !search && !hash && !username;
  }, 'must be an http or https URL without a path, such as https://status.example.com')
  .transform((text) => new URL(text).origin);

/** Whether a text is an http or https URL. */
export const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** An http or https origin; `example` is shown if it is none. */
export const origin = (example: string) =>
  z
    .string()
    .refine(
      (text) => isHttpUrl(text) && new URL(text).pathname === '/',
      `must be an http or https URL without a path, such as ${example}`,
    )
    .transform((text) => new URL(text).origin);

/** The URL of a development server; null: none. */
export const inngestDev = z
  .string()
  .refine(
    (text) => /^([01]|true|false)$/.test(text) || isHttpUrl(text),
    'must be 1, 0 or the URL of an Inngest development server, such as http://localhost:8288',
  )
  .transform((text) => {
    if (/^(0|false)$/.test(text)) return null;
    return isHttpUrl(text) ? text : 'http://localhost:8288';
  });

/** A signing key of Inngest. */
export const signingKey = z
  .string()
  .regex(
    /^(signkey-\w+-)?([0-9a-fA-F]{2})+$/,
    'must be hexadecimal with an even number of digits, such as the output of: openssl rand -hex 32',
  );

/** The URL of a mail server, with user and password percent-encoded. */
export const smtpUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, username, password } = new URL(text);
  if (!/^smtps?:$/.test(protocol) || hostname === '' || !/^\/?$/.test(pathname)) return false;
  return isDecodable(username) && isDecodable(password);
}, 'must be the URL of a mail server such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com; percent-encode special characters in the user and password');

function isDecodable(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}
