import { expect, it } from 'vitest';
import { choosePort } from './is-live.mjs';

const PORTS = { PORT: '8080', WORKER_PORT: '8090' };

it.each<[string, Record<string, string>, string]>([
  ['node bin/pharos.mjs start', {}, '3000'],
  ['node bin/pharos.mjs start', PORTS, '8080'],
  ['node bin/pharos.mjs web', { ...PORTS, PORT: '' }, '3000'],
  ['node bin/pharos.mjs worker', {}, '3010'],
  ['node bin/pharos.mjs worker --connect', PORTS, '8090'],
  ['/sbin/docker-init -- node bin/pharos.mjs worker', PORTS, '8090'],
  ['/sbin/docker-init -- node bin/pharos.mjs web', PORTS, '8080'],
])('a container that runs %s with %j is asked on port %s', (command, environment, port) => {
  expect(choosePort(`${command.replaceAll(' ', '\0')}\0`, environment)).toBe(port);
});
