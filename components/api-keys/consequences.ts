/** What rotating and revoking an API key means. */
export const KEY_WORDS = {
  noun: 'key',
  rotate: 'You get a new key with the same name, scope, and lifetime.',
  revoke: 'Requests with this key will be rejected immediately. This cannot be undone.',
};
