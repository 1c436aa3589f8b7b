import { expect, it } from 'vitest';
import { readRelyingParty } from './relying-party';

it.each([
  ['https://status.example.com', { id: 'status.example.com', origin: 'https://status.example.com' }],
  [
    'https://status.example.com:8443',
    { id: 'status.example.com', origin: 'https://status.example.com:8443' },
  ],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://pharos.localhost', { id: 'pharos.localhost', origin: 'http://pharos.localhost' }],
  ['http://status.example.com', 'insecure'],
  ['http://localhost.example.com', 'insecure'],
  ['http://127.0.0.1:3000', 'ip address'],
  ['https://192.0.2.7', 'ip address'],
  ['https://[2001:db8::1]', 'ip address'],
  [null, 'no address'],
])('passkeys of a service at %s', (appUrl, expected) => {
  expect(readRelyingParty(appUrl)).toEqual(expected);
});
