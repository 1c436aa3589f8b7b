import type { Metadata } from 'next';
import { SampleTabs } from '@/components/docs/code-panel';
import { Guide } from '@/components/docs/guide';
import { loadReference } from '../load-reference';
import { readReceivers } from '../read-guides';

export const metadata: Metadata = { title: 'API reference' };

/** The guides, which apply to all operations. */
export default async function GuidesPage() {
  const { serviceName, baseUrl, guides } = await loadReference();
  const receivers = <SampleTabs id="verify" of="verifying a webhook" samples={await readReceivers()} />;
  return (
    <>
      <div className="py-8">
        <h1 className="text-2xl font-semibold">{serviceName} API</h1>
        <p className="mt-2 max-w-3xl text-muted">
          REST with JSON. Every path in this reference begins with{' '}
          <code className="font-mono text-[0.8125rem] wrap-anywhere text-ink">{baseUrl}</code>. The reference
          is generated from the{' '}
          <a href="/api/openapi.json" className="text-accent underline">
            OpenAPI document
          </a>
          , which comes from the schemas that validate requests and responses.
        </p>
      </div>
      {guides
        .filter(({ page }) => page === '/docs')
        .map((section) => (
          <Guide key={section.id} section={section}>
            {section.id === 'verifying-webhooks' ? receivers : null}
          </Guide>
        ))}
    </>
  );
}
