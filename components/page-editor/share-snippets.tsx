'use client';

import { useState } from 'react';
import { CodeBlock, TitledCode } from '@/components/ui/code-block';
import { SelectField } from '@/components/ui/forms/field';
import { Section } from '@/components/ui/section';
import { escapeMarkup } from '@/lib/core/formats/markup';
import type { MonitorName } from '@/lib/domain/monitors/dependencies/read-references';

/** Height of `/embed` in CSS pixels. */
const EMBED_HEIGHT = 44;

type Props = {
  /** URL of the page, without a trailing slash. */
  address: string;
  name: string;
  /** Monitors on the page. */
  monitors: readonly MonitorName[];
};

/** Links, badges, embeds, and feeds of a page, ready to copy. */
export function ShareSnippets({ address, name, monitors }: Props) {
  const [shown, setShown] = useState('page');
  const badge = badgeMarkup({ address, name, shown, monitors });
  return (
    <>
      <Section title="Page URL">
        <CodeBlock text={address} label="Copy page URL" />
      </Section>
      <Section title="Badge">
        <p className="text-muted">An image of the current status for READMEs and websites.</p>
        <SelectField
          name="badge"
          label="Shows"
          className="max-w-sm"
          value={shown}
          onChange={(event) => setShown(event.target.value)}
          options={badge.choices}
        />
        <TitledCode title="Markdown" text={badge.markdown} label="Copy badge as Markdown" />
        <TitledCode title="HTML" text={badge.html} label="Copy badge as HTML" />
      </Section>
      <Section title="Embed">
        <p className="text-muted">
          A one-line status in the page’s colors that updates automatically. To embed the whole page, add your
          website to “Websites that may embed the page” in the editor.
        </p>
        <CodeBlock
          text={`<iframe src="${address}/embed" title="Status" width="320" height="${EMBED_HEIGHT}" style="border:0"></iframe>`}
          label="Copy embed code"
        />
      </Section>
      <Section title="Feeds">
        <p className="text-muted">Incidents and maintenance for feed readers and chat apps.</p>
        <TitledCode title="Atom" text={`${address}/feed.atom`} label="Copy Atom feed URL" />
        <TitledCode title="RSS" text={`${address}/feed.rss`} label="Copy RSS feed URL" />
      </Section>
      <Section title="JSON">
        <p className="text-muted">Everything the page shows, as data. Any website may read it.</p>
        <CodeBlock text={`${address}/status.json`} label="Copy JSON URL" />
      </Section>
    </>
  );
}

/** The badge choices, and Markdown and HTML for the choice `shown`. Names are escaped. */
export function badgeMarkup({ address, name, shown, monitors }: Props & { shown: string }) {
  const [subject = '', figure] = shown.split(' ');
  const monitor = monitors.find(({ id }) => id === subject);
  const query = monitor
    ? `?${new URLSearchParams({ monitor: monitor.id, ...(figure === 'uptime' ? { show: 'uptime' } : {}) })}`
    : '';
  const image = `${address}/badge.svg${query}`;
  const alt = `Status of ${monitor?.name ?? name}`;
  return {
    choices: [
      { value: 'page', label: 'Whole page' },
      ...monitors.flatMap(({ id, name: own }) => [
        { value: id, label: `${own}: status` },
        { value: `${id} uptime`, label: `${own}: 30-day uptime` },
      ]),
    ],
    markdown: `[![${alt.replace(/[[\]\\`]/g, '\\$&').replace(/\s+/g, ' ')}](${image})](${address})`,
    html: `<a href="${address}"><img src="${escapeMarkup(image)}" alt="${escapeMarkup(alt)}"></a>`,
  };
}
