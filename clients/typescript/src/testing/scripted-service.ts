import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';

/** What the service received. */
export type Request = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

/** The response to one request. */
export type Step = (response: ServerResponse, request: Request) => void;

/** A server on loopback that follows a script, one step for each request; the last step responds to all further ones. */
export type ScriptedService = HttpListener & { requests: readonly Request[] };

/** Starts it. */
export async function startScriptedService(...steps: Step[]): Promise<ScriptedService> {
  const requests: Request[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    // A client that goes away in the middle is part of some tests.
    const request = { method, path, headers, body: await text(incoming).catch(() => '') };
    const step = steps[Math.min(requests.length, steps.length - 1)];
    requests.push(request);
    step?.(response, request);
  });
  return { ...(await listenLocally(server)), requests };
}

/** Responds with JSON. */
export function reply(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Responds with an error of the API. */
export function refuse(status: number, code: string, headers: Record<string, string> = {}): Step {
  return reply(status, { error: { code, message: `It is ${code}.`, requestId: 'request-1' } }, headers);
}

/** Ends the connection without a response. */
export const hangUp: Step = (response) => response.destroy();

/** Starts a response, and never ends it. */
export const stall: Step = (response) => response.writeHead(200, { 'content-length': '100' }).write('{');
