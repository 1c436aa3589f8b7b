'use client';

import { Ellipsis, Pause, Pencil, Play } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useShortcuts } from '@/components/shell/shortcuts/use-shortcuts';
import type { ActionProblem } from '@/components/ui/action-result';
import { ActionRow } from '@/components/ui/action-row';
import { buttonLook } from '@/components/ui/button';
import { MenuButton } from '@/components/ui/menu/menu-button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { CheckNow } from './checks/check-now';
import type { MonitorMenuProps } from './monitor-menu-items';

const load = () => import('./monitor-menu-items').then((module) => module.MonitorMenuItems);
const Items = dynamic(load, { ssr: false });

type Props = MonitorMenuProps & {
  enabled: boolean;
  isProbed: boolean;
  degradedThreshold: number;
  setEnabled: (id: string, enabled: boolean) => Promise<ActionProblem>;
};

/** Pause or resume, check now, edit, and a menu for everything else. */
export function MonitorActions({ enabled, isProbed, degradedThreshold, setEnabled, ...menu }: Props) {
  const router = useRouter();
  const editHref = `/monitors/${menu.id}/edit`;
  useShortcuts({ e: { label: 'Edit this monitor', run: () => router.push(editHref) } });
  return (
    <ActionRow
      label={enabled ? 'Pause' : 'Resume'}
      icon={enabled ? <Pause /> : <Play />}
      tone={enabled ? 'quiet' : 'primary'}
      action={() => setEnabled(menu.id, !enabled)}
    >
      {isProbed ? <CheckNow id={menu.id} degradedThreshold={degradedThreshold} /> : null}
      <ButtonLink href={editHref} icon={<Pencil />}>
        Edit
      </ButtonLink>
      <MenuButton
        label={`More actions for ${menu.name}`}
        className={buttonLook()}
        preload={load}
        menu={(open) => <Items open={open} {...menu} />}
      >
        <Ellipsis />
      </MenuButton>
    </ActionRow>
  );
}
