type Request = { method: 'POST' | 'PUT'; url: string; body: Record<string, unknown>; apiKey?: string };

/** An API call as a shell command, with a placeholder if no key is given. */
export function formatCurl({ method, url, body, apiKey = '<API_KEY>' }: Request): string {
  return [
    `curl ${method === 'POST' ? '' : `-X ${method} `}${quote(url)} \\`,
    `  -H 'Authorization: Bearer ${apiKey}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quote(JSON.stringify(body))}`,
  ].join('\n');
}

/** A command that creates a monitor for Pharos itself. */
export function curlCreateMonitor(baseUrl: string, apiKey?: string): string {
  const body = { name: 'This service', url: `${baseUrl}/api/live` };
  return formatCurl({ method: 'POST', url: `${baseUrl}/api/monitors`, body, apiKey });
}

/** A command that reads a monitor. */
export function curlReadMonitor(baseUrl: string, id: string): string {
  return `curl ${baseUrl}/api/monitors/${id} -H 'Authorization: Bearer <API_KEY>'`;
}

/** Quotes any text as one word for a POSIX shell. */
function quote(text: string): string {
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
