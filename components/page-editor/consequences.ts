/** What rotating and revoking a token of a status page means. */
export const PAGE_TOKEN_WORDS = {
  noun: 'token',
  rotate: 'You get a new token with the same name.',
  revoke: 'Feeds, badges, and scripts with this token stop working immediately. This cannot be undone.',
};

export const PAGE_DELETION =
  'Its URL, feeds, badges, and domain stop working. Its components, subscribers, tokens, and monthly report emails are deleted. Monitors and incidents are kept.';

/** Of an import whose addresses are declared as confirmed. */
export const CONFIRMED_IMPORT =
  'They are subscribed at once, without a confirmation email. Every email to them has a link to unsubscribe. Addresses that unsubscribed from this page or were removed are refused. The audit log keeps who declared this.';
