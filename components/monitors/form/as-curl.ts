type Call = { method: 'POST' | 'PUT'; url: string; body: Record<string, unknown> };

/** A call of the API as a command to paste into a shell; the key is left to be filled in. */
export function asCurl({ method, url, body }: Call): string {
  return [
    `curl ${method === 'POST' ? '' : `-X ${method} `}${quote(url)} \\`,
    `  -H 'Authorization: Bearer <API_KEY>' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quote(JSON.stringify(body))}`,
  ].join('\n');
}

/** As one word for a POSIX shell, whatever stands in it. */
function quote(text: string): string {
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
