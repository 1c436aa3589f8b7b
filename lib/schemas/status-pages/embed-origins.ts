import { z } from 'zod';
import { parseUrl } from '@/lib/core/parse-url';

const MAX_ORIGINS = 20;
/** Twenty of them fit into a header: proxies refuse more than 4 KiB for all headers, by default. */
const MAX_LENGTH = 100;
/** May frame a page wherever they are. */
const ANYONE = '*';
const SHAPE = 'must be an origin such as https://www.example.com, without a path, or *';

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
/** Browsers compare names: of IP addresses, the Content-Security-Policy knows 127.0.0.1 alone. */
const HTTPS = new RegExp(
  `^https://((\\*\\.)?(${LABEL}\\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?|127\\.0\\.0\\.1)(:\\d+)?$`,
);
/** Anyone in the network can change a website without TLS, and so what frames the page. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;

/** An origin as browsers compare it: in lower case and Punycode, without a default port. Other text is returned in lower case. */
function canonicalOrigin(text: string): string {
  const origin = text.trim().toLowerCase();
  const url = /^https?:\/\/[^/?#@\\\s]+$/.test(origin) ? parseUrl(origin) : null;
  return url === null ? origin : `${url.protocol}//${url.host}`;
}

function isOrigin(origin: string): boolean {
  if (origin === ANYONE) return true;
  return parseUrl(origin) !== null && (HTTPS.test(origin) || LOOPBACK.test(origin));
}

const origin = z
  .string(SHAPE)
  .overwrite(canonicalOrigin)
  .max(MAX_LENGTH, `must be at most ${MAX_LENGTH} characters`)
  .refine(isOrigin, SHAPE);

/** Which websites may frame a page, as its owner enters them. */
export const embedOriginsInput = z
  .array(origin, 'must be an array of origins')
  .max(MAX_ORIGINS, `must have at most ${MAX_ORIGINS} origins`)
  .superRefine((origins, context) => {
    origins.forEach((each, index) => {
      const refuse = (message: string) => context.addIssue({ code: 'custom', path: [index], message });
      if (origins.indexOf(each) < index) refuse('is a duplicate');
      else if (each === ANYONE && origins.length > 1) refuse('must be alone');
    });
  });
