import { callOperatorUrl } from '@/lib/platform/net/operator/call-operator-url';

const PATIENCE_MS = 3000;

/** What to print if `service`, which the sample monitors check, does not respond; null if it does. */
export async function noteAbsence(service: URL): Promise<string | null> {
  const called = await callOperatorUrl(new URL('/api/live', service).href, { deadline: PATIENCE_MS });
  if ('statusCode' in called && called.statusCode === 200) return null;
  return `Pharos does not respond at ${service.origin}, which the sample monitors check: they will be down. If it runs elsewhere, set PORT or APP_URL as for the service, and seed another organization with --email and --slug.`;
}
