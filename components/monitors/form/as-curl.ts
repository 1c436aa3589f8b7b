type Call = { method: 'POST' | 'PUT'; url: string; body: Record<string, unknown> };

/** An API call as a shell command with a placeholder for the key. */
export function asCurl({ method, url, body }: Call): string {
  return [
    `curl ${method === 'POST' ? '' : `-X ${method} `}${quote(url)} \\`,
    `  -H 'Authorization: Bearer <API_KEY>' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quote(JSON.stringify(body))}`,
  ].join('\n');
}

/** Quotes any text as one word for a POSIX shell. */
function quote(text: string): string {
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
