import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Keyring } from '@/lib/core/keyring';

/** The page that a pass is for. */
type Page = { id: string; accessVersion: number };

const passSchema = z.strictObject({
  version: z.int(),
  expiresAt: z.int(),
  /** On the domain of a page: the session of the member, which is checked with every request. */
  sessionId: z.string().nullable(),
});

const ticketSchema = z.strictObject({ id: z.uuid(), sessionId: z.string(), expiresAt: z.int() });

/** A ticket can be used for this long. */
export const TICKET_MS = 60_000;

/**
 * Creates a pass: what the cookie of a visitor holds who entered the password, or, on the domain of a page, of a member who signed in on the
 * app's host. It is valid for this page until `expiresAt`, or until its visibility, password or list of addresses changes; that of a
 * member no longer than their session, which the reader checks.
 */
export function sealPass(
  keyring: Keyring,
  { id, accessVersion: version }: Page,
  { expiresAt, sessionId }: { expiresAt: Date; sessionId: string | null },
): string {
  return seal(keyring, { version, expiresAt: expiresAt.getTime(), sessionId }, passOwner(id));
}

/** Reads a pass; null unless it is a valid one for the page as it is now. */
export function openPass(
  keyring: Keyring,
  { id, accessVersion }: Page,
  { pass, now }: { pass: string; now: Date },
): { sessionId: string | null } | null {
  const opened = open(keyring, pass, passOwner(id), passSchema);
  if (opened === null || opened.version !== accessVersion || opened.expiresAt <= now.getTime()) return null;
  return { sessionId: opened.sessionId };
}

/** Creates a ticket with which a member who is signed in on the app's host gets a pass on the domain of the page, once. */
export function sealTicket(
  keyring: Keyring,
  { id }: Pick<Page, 'id'>,
  { sessionId, now }: { sessionId: string; now: Date },
): string {
  const expiresAt = now.getTime() + TICKET_MS;
  return seal(keyring, { id: randomUUID(), sessionId, expiresAt }, ticketOwner(id));
}

/** Reads a ticket for the page; null if it is not valid. The caller ensures that its `id` is used once. */
export function openTicket(
  keyring: Keyring,
  { id }: Pick<Page, 'id'>,
  { ticket, now }: { ticket: string; now: Date },
): { id: string; sessionId: string } | null {
  const opened = open(keyring, ticket, ticketOwner(id), ticketSchema);
  return opened === null || opened.expiresAt <= now.getTime() ? null : opened;
}

const passOwner = (pageId: string) => `page pass ${pageId}`;
const ticketOwner = (pageId: string) => `page ticket ${pageId}`;

function seal(keyring: Keyring, content: object, owner: string): string {
  return Buffer.from(keyring.seal(JSON.stringify(content), owner)).toString('base64url');
}

/** Longer than any pass or ticket. */
const MAX_LENGTH = 1000;

function open<Content>(
  keyring: Keyring,
  sealed: string,
  owner: string,
  schema: z.ZodType<Content>,
): Content | null {
  if (sealed.length > MAX_LENGTH) return null;
  try {
    return schema.parse(JSON.parse(keyring.open(Buffer.from(sealed, 'base64url'), owner)));
  } catch {
    return null;
  }
}
