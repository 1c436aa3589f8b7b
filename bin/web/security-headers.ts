import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** A year. Without includeSubDomains: what else runs below the app's name is not ours to decide. */
export const TRANSPORT_SECURITY = 'max-age=31536000';

/** For what is no document: opened by itself it may run, load and be framed by nothing. */
const NO_DOCUMENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

const EVERYWHERE = {
  'X-Content-Type-Options': 'nosniff',
  // Addresses of the app hold ids, and some a one-time token: other sites learn nothing of them.
  'Referrer-Policy': 'same-origin',
};

const DOCUMENTS = {
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/**
 * The Content-Security-Policy of one document of the app: it runs the scripts that carry a nonce made for this answer, and
 * what these load; nothing that stands in the text of a page. Styles may be inline: charts and menus are placed so. Frames
 * show what is our own, such as a picture of a status page. In development React and the bundler need eval.
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
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Adds to an answer of the application, as its head goes out, what protects who reads it; what it says itself stays. */
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

/** The same for an answer that this server gives itself: none of them is a document with scripts or styles. */
export const PLAIN_SECURITY_HEADERS: Record<string, string> = {
  ...EVERYWHERE,
  'Content-Security-Policy': NO_DOCUMENT_POLICY,
};
