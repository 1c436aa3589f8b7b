import { describe, expect, it } from 'vitest';
import { connectGuarded } from './connect';
import { startDeadline } from './deadline';
import { FAILURES } from './failures';
import { requestGuarded } from './http-request';
import { findFullPort, serveBytes, serveTcp } from './testing/servers';

const peer = '10.0.0.5:443';
const name = 'a.test';
const resolver = '10.0.0.2';
const limit = 'no response within 10s';
const problem = 'sent bytes that are not HTTP';

/** Every phase, every cause, and its sentence. */
const SENTENCES = {
  lookup: {
    timeout: [FAILURES.lookup.timeout({ limit, name }), 'no response within 10s while looking up a.test'],
    notFound: [FAILURES.lookup.notFound({ name }), 'host name a.test does not exist'],
    deadAlias: [
      FAILURES.lookup.deadAlias({ name, alias: 'b.test' }),
      'host name a.test is an alias for b.test, which does not exist',
    ],
    noAddress: [FAILURES.lookup.noAddress({ name }), 'host name a.test has no address'],
    noAddressOf: [FAILURES.lookup.noAddressOf({ name, family: 6 }), 'host name a.test has no IPv6 address'],
    otherFamily: [
      FAILURES.lookup.otherFamily({ address: '10.0.0.5', family: 6 }),
      '10.0.0.5 is not an IPv6 address',
    ],
    silent: [FAILURES.lookup.silent({ name }), 'the resolver did not respond for host name a.test'],
    errorCode: [
      FAILURES.lookup.errorCode({ resolver, rcode: 'SERVFAIL' }),
      'resolver 10.0.0.2 returned SERVFAIL',
    ],
    refused: [FAILURES.lookup.refused({ resolver }), 'resolver 10.0.0.2 does not accept queries'],
    unreachable: [FAILURES.lookup.unreachable({ resolver }), 'resolver 10.0.0.2 cannot be reached'],
    mismatched: [
      FAILURES.lookup.mismatched({ resolver }),
      'resolver 10.0.0.2 sent a reply that does not match the query',
    ],
    closed: [FAILURES.lookup.closed({ resolver }), 'resolver 10.0.0.2 closed the connection before replying'],
    dropped: [
      FAILURES.lookup.dropped({ resolver }),
      'resolver 10.0.0.2 dropped the connection before replying',
    ],
    unresolved: [
      FAILURES.lookup.unresolved({ name, problem: 'resolver 10.0.0.2 returned SERVFAIL' }),
      'host name a.test could not be resolved: resolver 10.0.0.2 returned SERVFAIL',
    ],
    other: [
      FAILURES.lookup.other({ name, reason: 'EAI_FAIL' }),
      'host name a.test could not be resolved (EAI_FAIL)',
    ],
  },
  connect: {
    timeout: [
      FAILURES.connect.timeout({ limit, peer }),
      'no response within 10s while connecting to 10.0.0.5:443',
    ],
    silent: [
      FAILURES.connect.silent({ peer }),
      '10.0.0.5:443 did not accept the connection before the timeout',
    ],
    refused: [FAILURES.connect.refused({ peer }), 'connection refused by 10.0.0.5:443'],
    unreachable: [FAILURES.connect.unreachable({ peer }), 'no route to 10.0.0.5:443'],
    other: [FAILURES.connect.other({ peer, reason: 'EMFILE' }), 'could not connect to 10.0.0.5:443 (EMFILE)'],
  },
  tls: {
    timeout: [
      FAILURES.tls.timeout({ limit, peer }),
      'no response within 10s during the TLS handshake with 10.0.0.5:443',
    ],
    closed: [FAILURES.tls.closed({ peer }), '10.0.0.5:443 closed the connection during the TLS handshake'],
    notTls: [FAILURES.tls.notTls({ peer }), '10.0.0.5:443 does not speak TLS'],
    outdated: [
      FAILURES.tls.outdated({ peer }),
      '10.0.0.5:443 supports only outdated versions of TLS; Pharos uses 1.2 and 1.3',
    ],
    onlyHttp2: [FAILURES.tls.onlyHttp2({ peer }), '10.0.0.5:443 speaks only HTTP/2; Pharos uses HTTP/1.1'],
    nothingInCommon: [
      FAILURES.tls.nothingInCommon({ peer }),
      '10.0.0.5:443 refused the TLS handshake: no encryption in common, or it requires a client certificate',
    ],
    needsClientCertificate: [
      FAILURES.tls.needsClientCertificate({ peer }),
      '10.0.0.5:443 requires a client certificate',
    ],
    unknownName: [FAILURES.tls.unknownName({ peer }), '10.0.0.5:443 has no certificate for this host name'],
    weak: [FAILURES.tls.weak({ peer }), '10.0.0.5:443 uses a key or signature that is too weak to be secure'],
    refused: [
      FAILURES.tls.refused({ peer, reason: 'access denied' }),
      '10.0.0.5:443 refused the TLS handshake (access denied)',
    ],
    internalError: [
      FAILURES.tls.internalError({ peer }),
      '10.0.0.5:443 reported an internal error during the TLS handshake',
    ],
    missingIssuer: [
      FAILURES.tls.missingIssuer({ issuer: 'R3' }),
      'the server does not send its certificate chain: the issuer “R3” is neither sent nor trusted',
    ],
    other: [FAILURES.tls.other({ peer, reason: '' }), 'the TLS handshake with 10.0.0.5:443 failed'],
    selfSigned: [FAILURES.tls.selfSigned(), 'certificate is self-signed'],
    expired: [FAILURES.tls.expired({ name: 'certificate', days: 1 }), 'certificate expired 1 day ago'],
    notYetValid: [
      FAILURES.tls.notYetValid({ name: 'certificate', from: 'Jan 1 2031' }),
      'certificate is not valid until Jan 1 2031',
    ],
    wrongHost: [
      FAILURES.tls.wrongHost({ host: name, names: 'b.test, c.test' }),
      'certificate is not valid for a.test (valid for b.test, c.test)',
    ],
    unknownAuthority: [FAILURES.tls.unknownAuthority(), 'certificate was issued by an unknown authority'],
    unverified: [
      FAILURES.tls.unverified({ reason: 'CRL_HAS_EXPIRED' }),
      'certificate could not be verified (CRL_HAS_EXPIRED)',
    ],
  },
  exchange: {
    timeout: [
      FAILURES.exchange.timeout({ limit, peer, name: 'SMTP', what: 'greeting' }),
      'no response within 10s while waiting for the SMTP greeting from 10.0.0.5:443',
    ],
    closed: [
      FAILURES.exchange.closed({ peer, name: 'SMTP', what: 'greeting' }),
      'connection closed by 10.0.0.5:443 before the SMTP greeting',
    ],
    reset: [
      FAILURES.exchange.reset({ peer, name: 'SMTP', what: 'greeting' }),
      'connection reset by 10.0.0.5:443 before the SMTP greeting',
    ],
    other: [FAILURES.exchange.other({ peer, name: 'SMTP' }), '10.0.0.5:443 does not speak SMTP'],
    otherWith: [
      FAILURES.exchange.otherWith({ peer, name: 'SMTP', sent: '+OK' }),
      '10.0.0.5:443 does not speak SMTP: it sent “+OK”',
    ],
    refused: [FAILURES.exchange.refused({ peer, name: 'SMTP' }), '10.0.0.5:443 refused the SMTP session'],
    refusedWith: [
      FAILURES.exchange.refusedWith({ peer, name: 'SMTP', words: '421 too busy' }),
      '10.0.0.5:443 refused the SMTP session: “421 too busy”',
    ],
    unencrypted: [
      FAILURES.exchange.unencrypted({ peer, command: 'STARTTLS' }),
      '10.0.0.5:443 does not offer STARTTLS',
    ],
    injected: [FAILURES.exchange.injected({ peer }), '10.0.0.5:443 sent data before TLS was negotiated'],
  },
  firstByte: {
    timeout: [
      FAILURES.firstByte.timeout({ limit, peer }),
      'no response within 10s while waiting for the first byte from 10.0.0.5:443',
    ],
    closed: [
      FAILURES.firstByte.closed({ peer, reason: 'certificate required' }),
      'connection closed by 10.0.0.5:443 before a response (certificate required)',
    ],
    reset: [FAILURES.firstByte.reset({ peer }), 'connection reset by 10.0.0.5:443 before a response'],
    invalid: [FAILURES.firstByte.invalid({ peer, problem }), '10.0.0.5:443 sent bytes that are not HTTP'],
  },
  headers: {
    timeout: [
      FAILURES.headers.timeout({ limit, peer }),
      'no response within 10s while reading the headers from 10.0.0.5:443',
    ],
    closed: [
      FAILURES.headers.closed({ peer, reason: '' }),
      'connection closed by 10.0.0.5:443 during the response',
    ],
    reset: [FAILURES.headers.reset({ peer }), 'connection reset by 10.0.0.5:443 during the response'],
    invalid: [FAILURES.headers.invalid({ peer, problem }), '10.0.0.5:443 sent bytes that are not HTTP'],
  },
  body: {
    timeout: [
      FAILURES.body.timeout({ within: '10s', size: '34 KB' }),
      'the response did not end within 10s, after 34 KB',
    ],
    tail: [FAILURES.body.tail({ peer }), '10.0.0.5:443 did not end its response'],
    closed: [
      FAILURES.body.closed({ peer, reason: '' }),
      'connection closed by 10.0.0.5:443 during the response',
    ],
    reset: [FAILURES.body.reset({ peer }), 'connection reset by 10.0.0.5:443 during the response'],
    invalid: [FAILURES.body.invalid({ peer, problem }), '10.0.0.5:443 sent bytes that are not HTTP'],
  },
} satisfies {
  [Phase in keyof typeof FAILURES]: Record<keyof (typeof FAILURES)[Phase], readonly [string, string]>;
};

const rows = Object.entries(SENTENCES).flatMap(([phase, causes]) =>
  Object.entries<readonly [string, string]>(causes).map(([cause, [actual, expected]]) => ({
    phase,
    cause,
    actual,
    expected,
  })),
);

describe('what is reported of a failure', () => {
  it.each(rows)('in phase $phase by $cause: $expected', ({ actual, expected }) => {
    expect(actual).toBe(expected);
  });
});

describe('no response in time is reported with the phase:', () => {
  const options = { method: 'GET', policy: { mode: 'private' as const, allowedCidrs: [] } };
  const send = (url: string) =>
    requestGuarded({ ...options, url, deadline: 200, maxBodyBytes: 1_000_000 }).catch(
      (error: unknown) => error,
    );

  it('looking up the name', async () => {
    const resolver = () => new Promise<never>(() => {});
    const request = requestGuarded({
      ...options,
      url: 'http://a.test',
      deadline: 200,
      maxBodyBytes: 1,
      resolver,
    });
    await expect(request).rejects.toMatchObject({
      code: 'timeout',
      message: 'no response within 200 ms while looking up a.test',
    });
  });

  it('connecting, of whatever protocol', async () => {
    const port = await findFullPort();
    expect(await send(`http://127.0.0.1:${port}`)).toMatchObject({
      code: 'timeout',
      message: `no response within 200 ms while connecting to 127.0.0.1:${port}`,
    });
    const { signal } = startDeadline(200, undefined, 'no connection');
    const resolver = async () => ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    const connecting = connectGuarded({ host: 'a.test', port, ...options, signal, resolver });
    await expect(connecting).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/^no connection within 200 ms while connecting to (a\.test|127)/),
    });
  });

  it('negotiating TLS', async () => {
    const { port } = await serveTcp();
    expect(await send(`https://127.0.0.1:${port}`)).toMatchObject({
      code: 'timeout',
      message: `no response within 200 ms during the TLS handshake with 127.0.0.1:${port}`,
    });
  });

  it('waiting for the first byte', async () => {
    const { url, port } = await serveTcp();
    expect(await send(url)).toMatchObject({
      code: 'timeout',
      message: `no response within 200 ms while waiting for the first byte from 127.0.0.1:${port}`,
    });
  });

  it('reading the headers', async () => {
    const { url, port } = await serveBytes('HTTP/1.1 200 OK\r\nX-A: b');
    expect(await send(url)).toMatchObject({
      code: 'timeout',
      message: `no response within 200 ms while reading the headers from 127.0.0.1:${port}`,
    });
  });

  it('reading the body, and how much came', async () => {
    const { url } = await serveBytes(`HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n${'x'.repeat(34_000)}`);
    expect(await send(url)).toMatchObject({
      code: 'timeout',
      message: 'the response did not end within 200 ms, after 34 KB',
    });
  });
});
