import { errorCode } from '../net-error';

/** The C library calls that Node does not expose. Each returns -1 on failure. */
export type Libc = {
  socket(domain: number, type: number, protocol: number): number;
  setsockopt(fd: number, level: number, option: number, value: Buffer, length: number): number;
  sendto(
    fd: number,
    bytes: Buffer,
    length: number,
    flags: number,
    address: Buffer,
    addressLength: number,
  ): number;
  recv(fd: number, into: Buffer, length: number, flags: number): number;
  close(fd: number): number;
  /** The name of the last error (`EACCES`). */
  errorName(): string;
};

let loaded: Promise<Libc> | undefined;

/** Loads the C library through koffi. Throws where koffi is unavailable (another platform, a bundle without it). */
export function loadLibc(): Promise<Libc> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Libc> {
  if (process.platform !== 'linux' && process.platform !== 'darwin') {
    throw new Error(`ICMP sockets are not supported on ${process.platform}`);
  }
  const { default: koffi } = await import('koffi').catch((error: unknown) => {
    throw errorCode(error) === 'ERR_MODULE_NOT_FOUND'
      ? new Error('the package koffi is not installed')
      : error;
  });
  const library = koffi.load(null);
  const numbers = new Map(Object.entries(koffi.os.errno).map(([name, number]) => [number, name]));
  return {
    socket: library.func('int socket(int domain, int type, int protocol)'),
    setsockopt: library.func(
      'int setsockopt(int fd, int level, int option, const void *value, uint32_t length)',
    ),
    sendto: library.func(
      'long sendto(int fd, const void *bytes, size_t length, int flags, const void *address, uint32_t addressLength)',
    ),
    recv: library.func('long recv(int fd, _Out_ uint8_t *into, size_t length, int flags)'),
    close: library.func('int close(int fd)'),
    errorName: () => numbers.get(koffi.errno()) ?? `errno ${koffi.errno()}`,
  };
}
