import { createServer, type Server } from 'node:net';
import { describeError, StartupError } from '@/lib/core/errors';

/** `variable` is the setting that the port comes from, for error messages. */
type Address = { host: string; port: number; variable?: string };

/** Starts listening. On a machine without IPv6, `::` falls back to all IPv4 interfaces. Throws StartupError. */
export async function listenOn(server: Server, address: Address): Promise<void> {
  const { host, port } = address;
  try {
    await attempt(server, host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (host === '::' && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL')) {
      return listenOn(server, { ...address, host: '0.0.0.0' });
    }
    throw refuse(error, address);
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

function attempt(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function refuse(error: unknown, { host, port, variable = 'PORT' }: Address): StartupError {
  const { code } = error as NodeJS.ErrnoException;
  const options = { cause: error };
  if (code === 'EADDRINUSE') {
    return new StartupError(
      `${variable} ${port} is in use by another program; stop it, or set ${variable} to a free port`,
      options,
    );
  }
  if (code === 'EACCES') {
    return new StartupError(
      `${variable} ${port} requires more privileges; set ${variable} to 1024 or above`,
      options,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartupError(
      `HOST ${host} is not an address of this machine; set HOST to one, or remove the setting`,
      options,
    );
  }
  return new StartupError(
    `cannot listen on HOST ${host}, ${variable} ${port}: ${describeError(error)}`,
    options,
  );
}
