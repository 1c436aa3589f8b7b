import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** One year. Without includeSubDomains, because other services may run on subdomains. */
export const TRANSPORT_SECURITY = 'max-age=31536000';

/** For responses that are not documents: they cannot run or load anything, or be framed. */
const NO_DOCUMENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

const EVERYWHERE = {
  'X-Content-Type-Options': 'nosniff',
  // URLs of the app contain IDs and one-time tokens, which other sites must not see.
  'Referrer-Policy': 'same-origin',
};

const DOCUMENTS = {
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/**
 * The Content-Security-Policy of a document of the app: only scripts with the nonce of this response run, and scripts that
 * these load. Inline styles are allowed for charts and menus. Frames can only show our own pages, such as a status page preview.
 * In development, React and the bundler need eval.
 */
export function createDocumentPolicy({ development = false } = {}): string {
  const nonce = randomBytes(16).toString('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Adds security headers to a response of the application; headers that it sets itself stay. */
export function addSecurityHeaders(response: ServerResponse, documentPolicy: string): void {
  const isDocument = /^text\/html\b/.test(String(response.getHeader('content-type') ?? ''));
  const headers = {
    ...EVERYWHERE,
    ...(isDocument ? DOCUMENTS : {}),
    'Content-Security-Policy': isDocument ? documentPolicy : NO_DOCUMENT_POLICY,
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
}

/** The same for responses of this server itself, which are never documents with scripts or styles. */
export const PLAIN_SECURITY_HEADERS: Record<string, string> = {
  ...EVERYWHERE,
  'Content-Security-Policy': NO_DOCUMENT_POLICY,
};
