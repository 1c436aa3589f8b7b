/** Splits `host:port`, `1.2.3.4:80` or `[::1]:80`; null when it is neither, or the port is not 1–65535. */
export function parseHostPort(text: string): { host: string; port: number } | null {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text.trim());
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || !(port >= 1 && port <= 65_535)) return null;
  return { host, port };
}
