/** A command that creates a monitor for Pharos itself. */
export function curlCreateMonitor(baseUrl: string, apiKey: string): string {
  const body = JSON.stringify({ name: 'This service', url: `${baseUrl}/api/live` });
  return [
    `curl ${baseUrl}/api/monitors \\`,
    `  -H 'Authorization: Bearer ${apiKey}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}

/** A command that reads a monitor. */
export function curlReadMonitor(baseUrl: string, id: string): string {
  return `curl ${baseUrl}/api/monitors/${id} -H 'Authorization: Bearer <API_KEY>'`;
}
