import { parseHttpUrl } from '@/lib/core/addresses';
import type { CheckType } from '../check-type';

/** An http or https URL responds with the expected status, and with a keyword where one is asked for. */
export const http: CheckType = {
  target: {
    shape: 'an http or https URL without user name or password',
    parse: (text) => {
      const url = parseHttpUrl(text);
      return url && { host: url.hostname, origin: url.origin };
    },
  },
  form: { label: 'URL', placeholder: 'https://example.com/health', groups: ['request'] },
  texts: {
    label: 'HTTP',
    request: ({ method, expectedStatusCode, keyword }) =>
      `${method}, expects ${expectedStatusCode}${keyword === null ? '' : ` and “${keyword}”`}`,
  },
  phases: ['dns', 'connect', 'tls', 'firstByte', 'transfer'],
};
