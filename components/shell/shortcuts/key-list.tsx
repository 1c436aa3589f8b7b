'use client';

import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { KeyCaps } from './key-caps';
import { areSingleKeysOn, listKeys, setSingleKeys } from './registry';

/** The shortcuts of this page, and a switch for single-key shortcuts. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const [groups] = useState(listKeys);
  const [isOn, setOn] = useState(areSingleKeysOn);
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-1/2 left-1/2 z-50 flex max-h-[85dvh] w-[calc(100vw-2rem)] max-w-2xl -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-surface p-5 shadow-xl"
        >
          <div className="flex items-center justify-between gap-3">
            <Dialog.Title className="text-base font-semibold">Keyboard shortcuts</Dialog.Title>
            <Dialog.Close
              aria-label="Close"
              className="flex size-8 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
            >
              <X className="size-4" />
            </Dialog.Close>
          </div>
          <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
            {groups.map(({ group, keys }) => (
              <section key={group} aria-label={group}>
                <h3 className="mb-1 text-xs font-medium text-muted">{group}</h3>
                <dl className="divide-y divide-line">
                  {keys.map(({ key, label }) => (
                    <div key={key} className="flex min-h-8 items-center justify-between gap-4">
                      <dt>{label}</dt>
                      <dd>
                        <KeyCaps stroke={key} />
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <label className="flex items-center gap-2 border-t border-line pt-4 text-muted">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={isOn}
              onChange={(event) => {
                setOn(event.target.checked);
                setSingleKeys(event.target.checked);
              }}
            />
            Enable single-key shortcuts in this browser
          </label>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
