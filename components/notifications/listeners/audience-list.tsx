import { Bell, BellOff, Mail } from 'lucide-react';
import { RowLink } from '@/components/ui/section';
import type { Receiving } from '@/lib/domain/listeners/read-audience';
import { formatReceiving } from './audience-texts';
import { listenerHref } from './listener-list';

type Props = { audience: readonly Receiving[]; names: ReadonlyMap<string, string> };

/** Every channel and member with what they are notified of. */
export function AudienceList({ audience, names }: Props) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {audience.map((listener) => (
        <li
          key={listener.id}
          className="relative flex items-start gap-3 px-3 py-2.5 hover:bg-sunken has-[a:focus-visible]:bg-sunken"
        >
          <Icon listener={listener} />
          <div className="min-w-0 flex-1">
            <RowLink href={listenerHref(listener)} className="wrap-anywhere">
              {listener.name}
            </RowLink>
            <p className="text-sm text-muted wrap-anywhere">{formatReceiving(listener, names)}</p>
          </div>
          <span className="text-sm whitespace-nowrap text-muted">{listener.channel}</span>
        </li>
      ))}
    </ul>
  );
}

function Icon({ listener: { type, silence } }: { listener: Receiving }) {
  const Shape = silence !== null ? BellOff : type === 'webhook' ? Bell : Mail;
  return (
    <Shape
      aria-hidden="true"
      className={`mt-0.5 size-4 shrink-0 ${silence === null ? 'text-good' : 'text-muted'}`}
    />
  );
}
