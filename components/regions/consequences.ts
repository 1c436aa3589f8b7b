/** What rotating and revoking a token of probes means. */
export const PROBE_TOKEN_WORDS = {
  noun: 'token',
  rotate: 'You get a new token with the same name.',
  until: 'Restart its probes with the new one until then.',
  revoke:
    'Probes with this token are refused immediately, and their results with them. This cannot be undone.',
};

export const REGION_DELETION =
  'Its tokens are revoked and its probes stop checking. Stored results are kept. A region from which monitors are checked, even paused ones, cannot be deleted.';
