/** The call that reads a monitor as its page shows it, ready to paste. */
export function curlReadMonitor(baseUrl: string, id: string): string {
  return `curl ${baseUrl}/api/monitors/${id} -H 'Authorization: Bearer <API_KEY>'`;
}
