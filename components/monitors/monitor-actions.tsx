'use client';

import { Copy, Ellipsis, Pause, Pencil, Play, Terminal, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { DropdownMenu } from 'radix-ui';
import { useShortcuts } from '@/components/shell/shortcuts/use-shortcuts';
import type { ActionProblem } from '@/components/ui/action-result';
import { ActionRow } from '@/components/ui/action-row';
import { buttonLook } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { doUnlessUndone, showError, showToast } from '@/components/ui/toast';
import { hideMonitors, showMonitors } from './hidden-monitors';

const ITEM =
  'flex h-8 cursor-pointer items-center gap-2 rounded px-2 text-sm outline-none select-none data-highlighted:bg-sunken [&_svg]:size-4';

type Action = () => Promise<ActionProblem>;
type Props = { id: string; name: string; enabled: boolean; curl: string; setEnabled: Action; remove: Action };

/** Pause or resume, edit, and a menu for everything else. */
export function MonitorActions({ id, name, enabled, curl, setEnabled, remove }: Props) {
  const router = useRouter();
  const editHref = `/monitors/${id}/edit`;
  useShortcuts({ e: { label: 'Edit this monitor', run: () => router.push(editHref) } });
  return (
    <ActionRow
      label={enabled ? 'Pause' : 'Resume'}
      icon={enabled ? <Pause /> : <Play />}
      tone={enabled ? 'quiet' : 'primary'}
      action={setEnabled}
    >
      <ButtonLink href={editHref} icon={<Pencil />}>
        Edit
      </ButtonLink>
      <MonitorMenu id={id} name={name} curl={curl} remove={remove} />
    </ActionRow>
  );
}

function MonitorMenu({ id, name, curl, remove }: Pick<Props, 'id' | 'name' | 'curl' | 'remove'>) {
  const router = useRouter();
  const copyCurl = async () => {
    try {
      await navigator.clipboard.writeText(curl);
      showToast('Copied. Replace <API_KEY> with your API key.');
    } catch {
      showError(`The clipboard needs HTTPS. Copy the command from here: ${curl}`);
    }
  };
  const removeUnlessUndone = () => {
    hideMonitors([id]);
    router.push('/monitors');
    doUnlessUndone({
      message: `Deleted ${name}`,
      act: remove,
      restore: () => {
        showMonitors([id]);
        // Do not interrupt someone who has moved on to another page.
        if (window.location.pathname === '/monitors') router.push(`/monitors/${id}`);
      },
    });
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className={`${buttonLook()} px-2`} aria-label={`More actions for ${name}`}>
        <Ellipsis />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 w-48 rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          <DropdownMenu.Item asChild className={ITEM}>
            <Link prefetch={false} href={`/monitors/new?from=${id}`}>
              <Copy />
              Duplicate
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item className={ITEM} onSelect={() => void copyCurl()}>
            <Terminal />
            Copy as curl
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item className={`${ITEM} text-bad`} onSelect={removeUnlessUndone}>
            <Trash2 />
            Delete
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
