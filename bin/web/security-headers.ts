import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CapturedResponse } from '@/lib/platform/page-front';

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
  return documentPolicy(`'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`);
}

/** The policy of a document of the app that may run these scripts. */
function documentPolicy(scripts: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
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

/** Inline scripts one after the other, as Next writes them without a nonce, and those with attributes. */
const SCRIPT_RUN = /(?:<script>(?:(?!<\/script>).)*<\/script>){2,}/gs;
const INLINE_SCRIPT = /<script(?![^>]* src=)[^>]*>((?:(?!<\/script>).)*)<\/script>/gs;
/** Proxies refuse longer heads: nginx more than 4 KiB in all, by default. */
const MAX_POLICY = 2000;

/**
 * A response that many will get, with all security headers. A document runs files of this service, and its own inline scripts by their
 * hashes: one nonce must not be sent twice. Scripts that follow each other are joined, so that their hashes fit into a header; null if they
 * do not.
 */
export function completeDocument(response: CapturedResponse): CapturedResponse | null {
  const isDocument = /^text\/html\b/.test(String(response.headers['content-type'] ?? ''));
  if (!isDocument) return withHeaders(response, { ...PLAIN_SECURITY_HEADERS });
  const html = response.body
    .toString()
    .replace(
      SCRIPT_RUN,
      (run) => `<script>${run.slice(8, -9).replaceAll('</script><script>', ';\n')}</script>`,
    );
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(([, text = '']) => hashSource(text));
  const policy = documentPolicy(["'self'", ...new Set(hashes)].join(' '));
  if (policy.length > MAX_POLICY) return null;
  const headers = { ...EVERYWHERE, ...DOCUMENTS, 'Content-Security-Policy': policy };
  return withHeaders({ ...response, body: Buffer.from(html) }, headers);
}

/** How a policy names an inline script. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function withHeaders(response: CapturedResponse, headers: Record<string, string>): CapturedResponse {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...response, headers: { ...Object.fromEntries(own), ...response.headers } };
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
