import 'server-only';
import { userAgentFromString } from 'next/server';

/** The name of a browser: `Firefox on Linux`. */
export function formatBrowser(userAgent: string | null): string {
  const { browser, os } = userAgentFromString(userAgent ?? undefined);
  const name = browser.name ?? 'Unknown browser';
  return os.name ? `${name} on ${os.name}` : name;
}
