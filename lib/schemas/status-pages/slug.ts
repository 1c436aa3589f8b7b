import { z } from 'zod';

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_SLUG = 63;

/** Slugs that conflict with current or possible future pages of the app. */
export const RESERVED_SLUGS: readonly string[] = `
  public new edit api app assets static favicon robots sitemap manifest
  setup sign-in sign-out sign-up invite invitation invitations reset-password forgot-password
  login logout auth account profile settings team members users admin
  monitors status status-pages incidents maintenance webhooks deliveries events
  api-keys keys organization organizations notifications billing plans audit
  dashboard overview docs openapi health live metrics feed badge inngest palette preview heartbeat reports unsubscribe alerts acknowledge
`
  .trim()
  .split(/\s+/);

/** The public name of a page in addresses. */
export const slugText = z
  .string('must be a string')
  .max(MAX_SLUG, `must be at most ${MAX_SLUG} characters`)
  .regex(SLUG, 'must contain only lowercase letters, digits and single hyphens between them');

/** Whether a text is a valid slug. */
export function isSlug(value: string): boolean {
  return slugText.safeParse(value).success;
}

/** Whether a text has the form of a page's ID, which no slug has. */
export function isStatusPageId(value: string): boolean {
  return /^sp_[0-9a-z]{1,60}$/.test(value);
}
