'use client';

import { Copy, Ellipsis, Terminal, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { DropdownMenu } from 'radix-ui';
import { buttonLook } from '@/components/ui/button';
import { doUnlessUndone, say, sayProblem } from '@/components/ui/toast';
import { hideMonitors, showMonitors } from './hidden-monitors';

const ITEM =
  'flex h-8 cursor-pointer items-center gap-2 rounded px-2 text-sm outline-none select-none data-highlighted:bg-sunken [&_svg]:size-4';

type Props = { id: string; name: string; curl: string; remove: () => Promise<string | null> };

/** What is done with a monitor seldom: copy it, take its call along, delete it. */
export function MonitorMenu({ id, name, curl, remove }: Props) {
  const router = useRouter();
  const copyCurl = async () => {
    try {
      await navigator.clipboard.writeText(curl);
      say('Copied. Put your API key in its place.');
    } catch {
      sayProblem(`This browser gives no clipboard to a page without HTTPS. The call: ${curl}`);
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
        // Who went on to something else meanwhile is left there.
        if (window.location.pathname === '/monitors') router.push(`/monitors/${id}`);
      },
    });
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className={`${buttonLook()} px-2`} aria-label={`More actions for ${name}`}>
        <Ellipsis aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 w-48 rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          <DropdownMenu.Item asChild className={ITEM}>
            <Link prefetch={false} href={`/monitors/new?from=${id}`}>
              <Copy aria-hidden="true" />
              Duplicate
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item className={ITEM} onSelect={() => void copyCurl()}>
            <Terminal aria-hidden="true" />
            Copy as curl
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item className={`${ITEM} text-bad`} onSelect={removeUnlessUndone}>
            <Trash2 aria-hidden="true" />
            Delete
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
