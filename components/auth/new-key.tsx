import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { curlCreateMonitor } from '@/components/monitors/curl';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import type { Made } from './set-up-form';

/** The end of set-up: the first API key, and what to do with it. */
export function NewKey({ apiKey, baseUrl, serviceName }: Made & { serviceName: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col gap-5">
      <h2 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
        Your API key
      </h2>
      <Banner tone="slow">
        Keep it now: {serviceName} stores only a fingerprint of it and cannot show it again.
      </Banner>
      <CodeBlock text={apiKey} label="Copy the API key" />
      <div className="flex flex-col gap-2">
        <p className="text-muted">With it, a first monitor takes one call:</p>
        <CodeBlock text={curlCreateMonitor(baseUrl, apiKey)} label="Copy the command" />
      </div>
      <Link prefetch={false} href="/monitors" className={buttonLook({ tone: 'primary', size: 'large' })}>
        Go to monitors
      </Link>
    </div>
  );
}
