import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server';
import { WAIT_MS } from '@/bin/testing/patience.mjs';

/** A received mail; `raw` is the exact text, `from` and `to` are from the envelope. */
export type ReceivedMail = { from: string; to: string[]; raw: string; parsed: Email; receivedAt: Date };

/** Where the server rejects: the login, the recipient, or the mail after its last line. */
export type RefusedAt = 'login' | 'recipient' | 'data';

/** A mail server on this machine that collects mails. */
export type MailServer = {
  /** The value for SMTP_URL. */
  url: string;
  /** How many connections there were. */
  connections(): number;
  /** All accepted mails, oldest first. */
  mails: readonly ReceivedMail[];
  /** Responds with `code` from now on; null accepts everything again. */
  refuseWith(code: number | null, at?: RefusedAt): void;
  /** Resolves with the first matching mail, past or future; rejects after `ms`, listing the received ones. */
  waitFor(fits: (mail: ReceivedMail) => boolean, ms?: number): Promise<ReceivedMail>;
  close(): Promise<void>;
};

/**
 * Starts a mail server on 127.0.0.1; with `tls` it uses implicit TLS, with an untrusted certificate. Its user
 * is `pharos`, with the password `pass:word`.
 */
export async function startMailServer({ tls = false }: { tls?: boolean } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const waiting = new Set<(mail: ReceivedMail) => void>();
  let refusal: { code: number; at: RefusedAt } | null = null;
  const refusedAt = (at: RefusedAt) =>
    refusal?.at === at
      ? Object.assign(new Error('refused by the test'), { responseCode: refusal.code })
      : null;

  const keep = async (content: Buffer, envelope: SMTPServerEnvelope) => {
    const mail = {
      from: envelope.mailFrom ? envelope.mailFrom.address : '',
      to: envelope.rcptTo.map(({ address }) => address),
      raw: content.toString('utf8'),
      parsed: await PostalMime.parse(content),
      receivedAt: new Date(),
    };
    mails.push(mail);
    for (const look of [...waiting]) look(mail);
  };

  const pem = tls
    ? await readFile(fileURLToPath(new URL('../platform/net/testing/self-signed.pem', import.meta.url)))
    : undefined;
  const server = new SMTPServer({
    secure: tls,
    ...(pem ? { key: pem, cert: pem } : {}),
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect: (_, done) => {
      connections++;
      done();
    },
    onAuth: ({ username, password }, _, done) => {
      const isKnown = username === 'pharos' && password === 'pass:word';
      const wrong = isKnown ? null : Object.assign(new Error('wrong password'), { responseCode: 535 });
      done(refusedAt('login') ?? wrong, { user: username });
    },
    onRcptTo: (_, __, done) => done(refusedAt('recipient')),
    onData: (stream, { envelope }, done) => {
      buffer(stream)
        .then(async (content) => {
          const refused = refusedAt('data');
          if (!refused) await keep(content, envelope);
          done(refused);
        })
        .catch(done);
    },
  });
  // Clients that do not trust the certificate hang up.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  return {
    url: `${tls ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    connections: () => connections,
    mails,
    refuseWith: (code, at = 'data') => {
      refusal = code === null ? null : { code, at };
    },
    waitFor: (fits, ms = WAIT_MS) => {
      const there = mails.find(fits);
      if (there) return Promise.resolve(there);
      return new Promise((resolve, reject) => {
        const look = (mail: ReceivedMail) => {
          if (!fits(mail)) return;
          finish();
          resolve(mail);
        };
        const timer = setTimeout(() => {
          finish();
          const subjects = mails.map(({ parsed }) => parsed.subject).join(', ') || 'nothing';
          reject(new Error(`no such mail within ${ms} ms; received: ${subjects}`));
        }, ms);
        const finish = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        waiting.add(look);
      });
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
