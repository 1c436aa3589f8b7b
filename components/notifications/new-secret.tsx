import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { Banner } from '@/components/ui/banner';
import { CodeBlock } from '@/components/ui/code-block';

/** The header that has to be found in a request, computed from its raw body. */
const VERIFY = `printf 'sha256=%s' "$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/.* //')"`;

/** A signing secret, right after it was made: the only time that it is shown. */
export function NewSecret({ secret }: { secret: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="new-secret" className="flex flex-col gap-3">
      <h2 id="new-secret" ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
        Your signing secret
      </h2>
      <Banner tone="slow">
        Keep it now: it is stored encrypted and not shown again. If you lose it, rotate it.
      </Banner>
      <CodeBlock text={secret} label="Copy the signing secret" />
      <p className="text-muted">
        Believe only requests whose <code className="font-mono text-xs">X-Service-Signature</code> is the
        HMAC-SHA256 of the raw body under this secret, <code className="font-mono text-xs">whsec_</code>{' '}
        included. In a shell:
      </p>
      <CodeBlock text={VERIFY} label="Copy the command" />
      <p className="text-muted">
        <Link
          prefetch={false}
          href="/docs#verifying-webhooks"
          className="text-accent underline underline-offset-2"
        >
          Receivers in Node.js, Python and Go
        </Link>{' '}
        are in the API reference.
      </p>
    </section>
  );
}
