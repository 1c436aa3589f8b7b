import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CapturedAnswer, WireAnswer } from '@/lib/platform/page-front';
import { commonHeaders, problemBody } from '@/lib/web/http/problem';
import { addSecurityHeaders, createDocumentPolicy, PLAIN_SECURITY_HEADERS } from './security-headers';

/** Headers of one connection, or for us only. */
const OWN = /^(connection|keep-alive|transfer-encoding|content-length|date|x-pharos-.*)$/;

/** Answers what is kept. */
export function answerStored(response: ServerResponse, { status, head, body }: WireAnswer): void {
  head.push('x-request-id', randomUUID());
  response.writeHead(status, head);
  if (body === null) response.end();
  else response.end(body);
}

/** Passes on an answer of the application as it is. */
export function answerOwn(
  response: ServerResponse,
  { status, headers, body }: CapturedAnswer,
  method: string | undefined,
): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !OWN.test(name)) response.setHeader(name, value);
  }
  // What is not there looks the same whichever way it was asked for.
  addSecurityHeaders(response, createDocumentPolicy());
  response.setHeader('content-length', body.length);
  response.writeHead(status).end(method === 'HEAD' ? undefined : body);
}

/** Answers a refusal, or a fault, as the API does. */
export function answerProblem(response: ServerResponse, error: unknown): void {
  const requestId = randomUUID();
  const { status, body } = problemBody(error, requestId);
  answerJson(response, status, body, requestId);
}

/** Answers JSON that no cache may keep. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: object,
  requestId: string = randomUUID(),
): void {
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      ...PLAIN_SECURITY_HEADERS,
      ...commonHeaders(requestId),
    })
    .end(JSON.stringify(body));
}

/** Answers that this host has nothing here; on a page's host with the way to the page. */
export function answerNothingHere(response: ServerResponse, { isPageHost }: { isPageHost: boolean }): void {
  const way = isPageHost ? '<p><a href="/">Status page</a></p>' : '';
  const page = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Not found</title><h1>Not found</h1><p>There is nothing at this address.</p>${way}</html>
`;
  response
    .writeHead(404, {
      'Content-Type': 'text/html; charset=utf-8',
      ...PLAIN_SECURITY_HEADERS,
      ...commonHeaders(randomUUID()),
    })
    .end(page);
}

/**
 * Has the last word on the head of an answer that the application writes by itself: what is for us only stays here, and
 * `complete` adds what is missing.
 */
export function finishHead(response: ServerResponse, complete: (response: ServerResponse) => void): void {
  const { writeHead } = response;
  Object.assign(response, {
    writeHead: (...args: unknown[]) => {
      for (const name of response.getHeaderNames()) {
        if (name.startsWith('x-pharos-')) response.removeHeader(name);
      }
      complete(response);
      return Reflect.apply(writeHead, response, args);
    },
  });
}
