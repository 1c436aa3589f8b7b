import { createHash } from 'node:crypto';
import { readLogo } from '@/components/status-page/logo';
import { REFRESH_SCRIPT } from '@/components/status-page/refresh-script';
import { STYLESHEET } from '@/components/status-page/stylesheet';

const SCRIPT = hash(REFRESH_SCRIPT);
const STYLE = hash(STYLESHEET);

/**
 * The Content-Security-Policy of a page: its own script and styles by their hashes, the page itself to refresh from, the
 * logo's host for images, and nothing else. A page with a form runs nothing, and sends the form to itself. Other web sites frame its `embed`, not the page.
 */
export function securityPolicy({
  themeCss,
  logoUrl,
  isForm = false,
}: {
  themeCss: string;
  logoUrl: string | null;
  isForm?: boolean;
}): string {
  return [
    "default-src 'none'",
    ...(isForm ? [] : [`script-src ${SCRIPT}`, "connect-src 'self'"]),
    ...looksOf(themeCss, logoUrl),
    `form-action ${isForm ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The policy of a preview: it looks like the page, runs nothing and sends nothing, and only our own pages frame it. It keeps
 * its origin, for them to measure it; without scripts that gives it nothing.
 */
export function previewPolicy({ themeCss, logoUrl }: { themeCss: string; logoUrl: string | null }): string {
  return [
    "default-src 'none'",
    ...looksOf(themeCss, logoUrl),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; ');
}

function looksOf(themeCss: string, logoUrl: string | null): string[] {
  const logo = readLogo(logoUrl);
  return [
    `style-src ${STYLE} ${hash(themeCss)}`,
    `img-src data:${logo === null ? '' : ` ${new URL(logo).origin}`}`,
  ];
}

/** As a browser compares it: of the text between the tags, to the byte. */
function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
