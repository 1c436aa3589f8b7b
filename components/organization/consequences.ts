export const ORGANIZATION_DELETION =
  'This permanently deletes: monitors and their history, incidents, status pages, webhook endpoints and their pending deliveries, API keys, and the audit log. Checks and notifications stop. Members keep their accounts.';
