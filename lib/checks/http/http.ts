import { addScheme, findUrlProblem, parseHttpUrl } from '@/lib/core/addresses';
import type { CheckType } from '../check-type';

/** Checks that an HTTP(S) URL returns the expected status and, if set, contains a keyword. */
export const http: CheckType = {
  isProbed: true,
  target: {
    shape: 'an http or https URL without user name or password',
    parse: (text) => {
      const url = parseHttpUrl(text);
      return url && { host: url.hostname, origin: url.origin };
    },
    findProblem: findUrlProblem,
  },
  form: {
    label: 'URL',
    placeholder: 'https://example.com/health',
    groups: ['probe', 'thresholds', 'connection', 'request', 'certificate', 'assertions'],
    complete: (typed) => {
      const target = addScheme(typed);
      return target === null ? null : { target, added: 'https://' };
    },
  },
  texts: {
    label: 'HTTP',
    request: ({ method, expectedStatusCode, keyword }) =>
      `${method}, expects ${expectedStatusCode}${keyword === null ? '' : ` and “${keyword}”`}`,
  },
  phases: ['dns', 'connect', 'tls', 'firstByte', 'transfer'],
  assertions: ['status', 'header', 'body', 'json', 'responseTime', 'size', 'certificateDays'],
};
