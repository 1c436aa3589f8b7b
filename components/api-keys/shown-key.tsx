'use client';

import { useEffect, useRef } from 'react';
import { Banner } from '@/components/ui/banner';
import { CodeBlock } from '@/components/ui/code-block';

/** A key right after it was made. */
export type ShownKey = { name: string; apiKey: string; baseUrl: string };

/** A new key, the only time that it is shown, and the call that proves it. */
export function NewApiKey({ name, apiKey, baseUrl }: ShownKey) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="new-api-key" className="flex flex-col gap-3">
      <h3 id="new-api-key" ref={heading} tabIndex={-1} className="font-semibold break-words outline-none">
        The key “{name}”
      </h3>
      <Banner tone="slow">Keep it now: only a fingerprint of it is stored, and it is not shown again.</Banner>
      <CodeBlock text={apiKey} label="Copy the API key" />
      <p className="text-muted">This call answers which organization it belongs to:</p>
      <CodeBlock
        text={`curl ${baseUrl}/api/me -H 'Authorization: Bearer ${apiKey}'`}
        label="Copy the command"
      />
    </section>
  );
}
