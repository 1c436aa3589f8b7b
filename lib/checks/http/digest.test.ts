import { describe, expect, it } from 'vitest';
import { answerChallenge, pickChallenge } from './digest';

/** The example of RFC 7616, section 3.9.1. */
const NONCE = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v';
const CNONCE = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
const COMMON = `qop="auth, auth-int", nonce="${NONCE}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
const challengeOf = (algorithm: string) =>
  `Digest realm="http-auth@example.org", ${COMMON}, algorithm=${algorithm}`;
const REQUEST = { method: 'GET', path: '/dir/index.html', username: 'Mufasa', password: 'Circle of Life' };

function answer(header: string, request = REQUEST): string {
  const challenge = pickChallenge(header);
  if ('problem' in challenge) throw new Error(challenge.problem);
  return answerChallenge(challenge, request, CNONCE);
}

describe('a digest challenge', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('is met with %s as in the RFC', (algorithm, response) => {
    expect(answer(challengeOf(algorithm))).toBe(
      `Digest username="Mufasa", realm="http-auth@example.org", nonce="${NONCE}", uri="/dir/index.html", algorithm=${algorithm}, response="${response}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, cnonce="${CNONCE}"`,
    );
  });

  it('is the first one with an algorithm that is supported', () => {
    const header = `Negotiate abc==, ${challengeOf('SHA3-256')}, ${challengeOf('SHA-256')}, ${challengeOf('MD5')}`;
    expect(pickChallenge(header)).toMatchObject({ algorithm: 'SHA-256', hash: 'sha256' });
  });

  it('without an algorithm and qop is one of RFC 2069', () => {
    expect(answer('Digest realm="a", nonce="b"')).toMatch(
      /^Digest username="Mufasa", realm="a", nonce="b", uri="\/dir\/index.html", response="[0-9a-f]{32}"$/,
    );
  });

  it.each([
    ['', 'offers no Digest authentication'],
    ['Basic realm="Digest"', 'offers no Digest authentication'],
    [challengeOf('SHA3-256'), 'offers Digest authentication only with an algorithm that is not supported'],
    [
      'Digest realm="a", nonce="b", qop="auth-int"',
      'offers Digest authentication only with an algorithm that is not supported',
    ],
    ['Digest nonce="b"', 'offers Digest authentication only with an algorithm that is not supported'],
  ])('cannot be %j', (header, problem) => {
    expect(pickChallenge(header)).toEqual({ problem });
  });

  it('sends names that no text of a header may contain as their bytes in quotes', () => {
    const username = 'Jäs"ø\\n';
    const sent = answer(challengeOf('MD5'), { ...REQUEST, username });
    expect(Buffer.from(sent, 'latin1').toString('utf8')).toContain('username="Jäs\\"ø\\\\n"');
  });
});
