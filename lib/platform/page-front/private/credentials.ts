import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { findCookie } from '@/lib/core/cookies';
import { readBearer } from '@/lib/core/token-format';
import { PASS_COOKIE } from '../application';

/** What could admit a visitor to a private page, by the names of `AdmittedBy`; null for what they do not have. */
export type VisitorCredentials = {
  token: string | null;
  pass: string | null;
  session: string | null;
  address: string | null;
};

type Sources = {
  /** From the query; null without one, and where tokens open nothing. */
  token: string | null;
  takesToken: boolean;
  /** The name of the cookie of the dashboard; null on the domain of a page. */
  sessionCookie: string | null;
  address: string | null;
};

/** Reads the credentials of a request. */
export function readCredentials(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { token, takesToken, sessionCookie, address }: Sources,
): VisitorCredentials {
  return {
    token: takesToken ? (readBearer(headers.authorization) ?? token) : null,
    pass: findCookie(headers.cookie, PASS_COOKIE),
    session: sessionCookie === null ? null : findCookie(headers.cookie, sessionCookie),
    address,
  };
}

/** The headers with which the application gets the credentials of a visitor, but no other cookies. */
export function credentialHeaders(
  { token, pass, session }: VisitorCredentials,
  sessionCookie: string | null,
): OutgoingHttpHeaders {
  const cookies = [
    ...(pass === null ? [] : [`${PASS_COOKIE}=${pass}`]),
    ...(session === null || sessionCookie === null ? [] : [`${sessionCookie}=${session}`]),
  ];
  return {
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
}

/** The Cookie header with the pass alone, for the domain of a page; null without a pass. */
export function onlyPass(cookie: string | undefined): string | null {
  const pass = findCookie(cookie, PASS_COOKIE);
  return pass === null ? null : `${PASS_COOKIE}=${pass}`;
}
