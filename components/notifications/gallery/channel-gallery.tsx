'use client';

import { useState } from 'react';
import { SearchField } from '@/components/ui/forms/search-field';
import { EmptyNote, RowLink, Section } from '@/components/ui/section';
import type { FormatGroup, Mark } from '@/lib/webhook-formats/format';
import { ChannelMark } from './channel-mark';

/** A channel that can be added; `href`: where that is done. */
export type ChannelChoice = {
  href: string;
  label: string;
  hint: string;
  group: FormatGroup | 'email';
  mark: Mark;
};

const GROUPS: Record<ChannelChoice['group'], string> = {
  email: 'Email',
  chat: 'Chat',
  'on-call': 'On-call',
  push: 'Push',
  program: 'Your own program',
};

/** Everything that can be notified, in groups, to choose from. */
export function ChannelGallery({ choices }: { choices: readonly ChannelChoice[] }) {
  const [search, setSearch] = useState('');
  const found = findChannels(choices, search);
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => {
    const shown = found.filter((choice) => choice.group === group);
    return shown.length === 0 ? [] : [{ title, shown }];
  });
  return (
    <div className="flex flex-col gap-6">
      <SearchField
        label="Search channels"
        placeholder="Slack, phone, webhook…"
        value={search}
        onType={setSearch}
        frameClassName="w-full max-w-md flex-none"
        className="rounded-md border border-line-strong"
      />
      <p role="status" className="sr-only">
        {search.trim() === '' ? '' : `${found.length} of ${choices.length} channels`}
      </p>
      {groups.length === 0 ? (
        <EmptyNote>
          No channel matches “{search.trim()}”. A program of your own can pass messages on to anything.
        </EmptyNote>
      ) : (
        groups.map(({ title, shown }) => (
          <Section key={title} title={title} gap="gap-2">
            <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
              {shown.map(({ href, label, hint, mark }) => (
                <li
                  key={href}
                  className="relative flex items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2.5 hover:border-line-strong hover:bg-sunken has-[a:focus-visible]:bg-sunken"
                >
                  <ChannelMark mark={mark} />
                  <div className="min-w-0">
                    <RowLink href={href}>{label}</RowLink>
                    <p className="text-xs text-muted">{hint}</p>
                  </div>
                </li>
              ))}
            </ul>
          </Section>
        ))
      )}
    </div>
  );
}

/** The channels whose name, description or group contains every word of the search. */
export function findChannels(choices: readonly ChannelChoice[], search: string): ChannelChoice[] {
  const words = search.toLowerCase().split(/\s+/);
  return choices.filter(({ label, hint, group }) => {
    const text = `${label} ${hint} ${GROUPS[group]}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
