/** The call that makes a monitor of the service itself, ready to paste. */
export function curlCreateMonitor(baseUrl: string, apiKey: string): string {
  const body = JSON.stringify({ name: 'This service', url: `${baseUrl}/api/live` });
  return [
    `curl ${baseUrl}/api/monitors \\`,
    `  -H 'Authorization: Bearer ${apiKey}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}
