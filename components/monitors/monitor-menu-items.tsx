import { Copy, Terminal, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { DropdownMenu } from 'radix-ui';
import type { ActionProblem } from '@/components/ui/action-result';
import type { OpenMenu } from '@/components/ui/menu/menu-button';
import { MENU_ITEM, MenuPanel, MenuSeparator } from '@/components/ui/menu/menu-panel';
import { doUnlessUndone, showError, showToast } from '@/components/ui/toasts/toast';
import { hideMonitors, showMonitors } from './hidden-monitors';

export type MonitorMenuProps = {
  id: string;
  name: string;
  curl: string;
  remove: (id: string) => Promise<ActionProblem>;
};

export function MonitorMenuItems({ open, id, name, curl, remove }: MonitorMenuProps & { open: OpenMenu }) {
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
      act: () => remove(id),
      restore: () => {
        showMonitors([id]);
        // Do not interrupt someone who has moved on to another page.
        if (window.location.pathname === '/monitors') router.push(`/monitors/${id}`);
      },
    });
  };
  return (
    <MenuPanel open={open} align="end" className="w-48">
      <DropdownMenu.Item asChild className={MENU_ITEM}>
        <Link prefetch={false} href={`/monitors/new?from=${id}`}>
          <Copy />
          Duplicate
        </Link>
      </DropdownMenu.Item>
      <DropdownMenu.Item className={MENU_ITEM} onSelect={() => void copyCurl()}>
        <Terminal />
        Copy as curl
      </DropdownMenu.Item>
      <MenuSeparator />
      <DropdownMenu.Item className={`${MENU_ITEM} text-bad`} onSelect={removeUnlessUndone}>
        <Trash2 />
        Delete
      </DropdownMenu.Item>
    </MenuPanel>
  );
}
