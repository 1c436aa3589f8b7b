'use client';

import { useState } from 'react';
import { TitledDialog } from '@/components/ui/dialogs/titled-dialog';
import { readOpeners } from '../overlay';
import { KeyCaps } from './key-caps';
import { areSingleKeysOn, listKeys, setSingleKeys } from './registry';

/** The shortcuts of this page, and a switch for single-key shortcuts. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const [groups] = useState(listKeys);
  const [openers] = useState(readOpeners);
  const [isOn, setOn] = useState(areSingleKeysOn);
  return (
    <TitledDialog title="Keyboard shortcuts" width="max-w-2xl" openers={openers} onClose={onClose}>
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
    </TitledDialog>
  );
}
