import { createServer, type Server } from 'node:net';
import { describeError, StartupError } from '@/lib/core/errors';

/** `variable` is the setting that the port comes from, for what is said when it cannot be had. */
type Address = { host: string; port: number; variable?: string };

/** Makes a server listen. A machine without IPv6 gets all of IPv4 for `::`. Throws StartupError that says what to do. */
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

/** Refuses a start early whose port could not be had later. */
export async function requireFreePort(address: Address): Promise<void> {
  const server = createServer();
  await listenOn(server, address);
  await new Promise((resolve) => server.close(resolve));
}

/** Whether an error of `listenOn` means that another program has the port. */
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
      `${variable} ${port} is in use by another program; stop it or set ${variable} to a free one`,
      options,
    );
  }
  if (code === 'EACCES') {
    return new StartupError(
      `${variable} ${port} is not allowed for this user; set ${variable} to 1024 or above`,
      options,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartupError(
      `HOST ${host} is no address of this machine; set HOST to one, or leave it out`,
      options,
    );
  }
  return new StartupError(
    `cannot listen on HOST ${host}, ${variable} ${port}: ${describeError(error)}`,
    options,
  );
}
