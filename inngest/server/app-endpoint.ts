import type { Inngest, InngestFunction } from 'inngest';
import { serve } from 'inngest/edge';

/** Where an app is served; the SDK's own variable would give all apps one path. */
export const pathOf = (app: string, homeApp: string): string =>
  app === homeApp ? '/api/inngest' : `/api/inngest/${app}`;

/** An app as the Inngest server sees it. */
export type AppEndpoint = {
  path: string;
  /** Answers a request of the server. Unsigned ones are refused, but for a development server, which signs nothing. */
  answer(request: Request): Promise<Response>;
  /** Tells the server that the app is found at `origin`. Throws an Error with what the server had to say. */
  register(origin: string): Promise<void>;
};

/** Serves the functions of one app at `path`. `serveOrigin` is the address that the server is told; else the one it used. */
export function createAppEndpoint({
  client,
  functions,
  path,
  serveOrigin,
}: {
  client: Inngest;
  functions: InngestFunction.Any[];
  path: string;
  serveOrigin: string | undefined;
}): AppEndpoint {
  const served = { client, functions, servePath: path, serveOrigin };
  const answer = serve({ ...served, enableUnauthedSync: false });
  // Never reached from outside: what asks it to register is this process.
  const registering = serve({ ...served, enableUnauthedSync: true });
  return {
    path,
    answer,
    register: async (origin) => {
      const url = new URL(path, origin);
      const headers = { host: url.host, 'x-forwarded-proto': url.protocol.slice(0, -1) };
      const response = await registering(new Request(url, { method: 'PUT', headers }));
      if (response.ok) return;
      throw new Error(`Inngest answered ${response.status}: ${await response.text()}`);
    },
  };
}
