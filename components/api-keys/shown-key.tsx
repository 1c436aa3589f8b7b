'use client';

import { useEffect, useRef } from 'react';
import { Banner } from '@/components/ui/banner';
import { CodeBlock } from '@/components/ui/code-block';

/** A newly created key. */
export type ShownKey = { name: string; apiKey: string; baseUrl: string };

/** A new key, shown only once, and a request to try it with. */
export function NewApiKey({ name, apiKey, baseUrl }: ShownKey) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="new-api-key" className="flex flex-col gap-3">
      <h3 id="new-api-key" ref={heading} tabIndex={-1} className="font-semibold break-words outline-none">
        New key “{name}”
      </h3>
      <Banner tone="slow">Copy it now. You won’t be able to see it again.</Banner>
      <CodeBlock text={apiKey} label="Copy the API key" />
      <p className="text-muted">Try it with this request, which returns your organization:</p>
      <CodeBlock
        text={`curl ${baseUrl}/api/me -H 'Authorization: Bearer ${apiKey}'`}
        label="Copy the command"
      />
    </section>
  );
}
