import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveHttps, testAuthority } from '@/lib/platform/net/testing/servers';
import type { PushTarget } from '@/lib/schemas/push';
import type { PushSender } from '../post-push';

/** What a push service of tests received, and the browser decrypted. */
export type ReceivedPush = {
  path: string;
  message: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  /** Who sent it, as its signature proves: the claims of the token. */
  claims: { aud: string; exp: number; sub: string };
};

/**
 * A push service on this machine with the browsers that it knows. It decrypts what it accepts as they would (RFC 8291), and throws for what
 * the key of the application server did not sign (RFC 8292), or is larger than push services accept.
 */
export async function startPushService() {
  const browsers = new Map<string, { ecdh: ECDH; auth: Buffer; serverKey: string }>();
  const received: ReceivedPush[] = [];
  let status = 201;
  let responseHeaders: Record<string, string> = {};
  const accept = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const path = request.url ?? '';
    const browser = browsers.get(path);
    if (status === 201 && browser !== undefined) {
      if (body.length > 4096) throw new Error('larger than a push service accepts');
      const claims = verifyVapid(request.headers.authorization ?? '', browser.serverKey);
      const message = JSON.parse(decrypt(body, browser).toString());
      received.push({ path, message, headers: request.headers, claims });
    }
    response.writeHead(browser === undefined ? 404 : status, responseHeaders).end();
  };
  const server = await serveHttps('good', (request, response) => {
    accept(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  const sender: PushSender = {
    policy: { mode: 'private', allowedCidrs: [] },
    secureContext: testAuthority,
  };
  return {
    url: server.url,
    received,
    /** Reaches it from tests: product code does not connect to this machine. */
    sender,
    respondWith: (next: number, headers: Record<string, string> = {}) => {
      status = next;
      responseHeaders = headers;
    },
    /** A browser that subscribed with the public key of an installation. */
    subscribe: (serverKey: string): PushTarget => {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(8).toString('hex')}`;
      browsers.set(path, { ecdh, auth, serverKey });
      const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') };
      return { endpoint: server.url + path, keys };
    },
  };
}

function verifyVapid(authorization: string, serverKey: string): ReceivedPush['claims'] {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  if (key !== serverKey) throw new Error('not the key that the browser subscribed with');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url')))
    throw new Error('not signed');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

/** RFC 8188 with one record, and the keys of RFC 8291. */
function decrypt(body: Buffer, { ecdh, auth }: { ecdh: ECDH; auth: Buffer }): Buffer {
  const salt = body.subarray(0, 16);
  const keyEnd = 21 + body.readUInt8(20);
  const senderKey = body.subarray(21, keyEnd);
  const derive = (secret: Uint8Array, salt: Uint8Array, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const secret = derive(ecdh.computeSecret(senderKey), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(body.subarray(-16));
  const plain = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2));
}
