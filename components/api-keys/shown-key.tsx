'use client';

import { CodeBlock } from '@/components/ui/code-block';
import { ShownOnce } from '@/components/ui/shown-once';

/** A newly created key. */
export type ShownKey = { name: string; apiKey: string; baseUrl: string };

/** A new key, and a request to try it with. */
export function NewApiKey({ name, apiKey, baseUrl }: ShownKey) {
  return (
    <ShownOnce title={`New key “${name}”`} level="h3" text={apiKey} copyLabel="Copy the API key">
      <p className="text-muted">Try it with this request, which returns your organization:</p>
      <CodeBlock
        text={`curl ${baseUrl}/api/me -H 'Authorization: Bearer ${apiKey}'`}
        label="Copy the command"
      />
    </ShownOnce>
  );
}
