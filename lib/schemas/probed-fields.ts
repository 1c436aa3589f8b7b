/** A change of one of these asks a different question: what was known of the target counts no more. */
export const PROBED_FIELDS = [
  'url',
  'type',
  'method',
  'headers',
  'body',
  'expectedStatusCode',
  'followRedirects',
  'keyword',
  'tlsVerify',
] as const;
