/** Why monitors of common kinds cannot be imported. */
export const UPSIDE_DOWN =
  'Pharos cannot invert a check. A monitor that is up while its target fails is not supported.';
export const UDP = 'UDP is not supported. If the service also has a TCP port, monitor that port.';
export const BROWSER = 'Browser checks are not supported. Monitor the URL with HTTP and a keyword instead.';
export const CLIENT_CERTIFICATE =
  'Client certificates are not supported. Monitor a URL or port that does not require one.';
export const OAUTH =
  'OAuth 2.0 sign-in is not supported. Monitor a URL that needs none, or one that accepts a fixed Authorization header.';
export const DIGEST =
  'Only basic authentication is supported. Monitor a URL that needs none, or one that accepts a fixed Authorization header.';
export const NO_TARGET = 'The file contains no host, port or URL for it.';

/** The reason for a type that is not known, which may be newer than this version of Pharos. */
export const UNKNOWN_KIND = 'Pharos has no check of this type.';

/** What changes when a service is asked whether it is ready, and nothing else. */
export function onlyReady(what: string): string {
  return `${what} not imported: Pharos checks that the server is ready.`;
}

/** What changes when only the port of a service is monitored. */
export function onlyPort(what: string): string {
  return `${what} not imported: Pharos checks that the port accepts connections.`;
}
