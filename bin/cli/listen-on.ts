import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { describeError, StartupError } from '@/lib/core/errors';

/** `variable` is the setting that the port comes from, for error messages. */
type Address = { host: string; port: number; variable?: string };

/** Starts listening. On a machine without IPv6, `::` falls back to all IPv4 interfaces. Throws StartupError. */
export async function listenOn(server: Server, address: Address): Promise<void> {
  const { host, port } = address;
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (host === '::' && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL')) {
      return listenOn(server, { ...address, host: '0.0.0.0' });
    }
    throw explain(error, address);
  }
}

/** Throws StartupError if the port is not available, before anything else is started. */
export async function requireFreePort(address: Address): Promise<void> {
  const server = createServer();
  await listenOn(server, address);
  await new Promise((resolve) => server.close(resolve));
}

/** Whether an error of `listenOn` means that another program uses the port. */
export function isInUse(error: unknown): boolean {
  return error instanceof StartupError && (error.cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

function explain(error: unknown, { host, port, variable = 'PORT' }: Address): StartupError {
  const taken = `${variable} ${port} is in use by another program; stop it, or set ${variable} to a free port`;
  const foreign = `HOST ${host} is not an address of this machine; set HOST to one, or remove the setting`;
  const messages: Record<string, string> = {
    EADDRINUSE: taken,
    EACCES: `${variable} ${port} requires more privileges; set ${variable} to 1024 or above`,
    EADDRNOTAVAIL: foreign,
    ENOTFOUND: foreign,
  };
  const { code = '' } = error as NodeJS.ErrnoException;
  const other = `cannot listen on HOST ${host}, ${variable} ${port}: ${describeError(error)}`;
  return new StartupError(messages[code] ?? other, { cause: error });
}
