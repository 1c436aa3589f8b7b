import { Bell, Mail } from 'lucide-react';
import { listenerHref, type ShownListener } from '@/components/notifications/listeners/listener-list';
import { Banner } from '@/components/ui/banner';
import { Section } from '@/components/ui/section';
import { TextLink } from '@/components/ui/text-link';
import type { Listener } from '@/lib/schemas/webhooks/listeners';

type Props = { id: string; listeners: readonly ShownListener[] };

/** Why nobody is notified for a while, though somebody is set up to be. */
const QUIET: Partial<Record<Listener['reason'], string>> = {
  held: 'Nobody is notified while a monitor that this one depends on is down.',
  flapping: 'Nobody is notified of individual changes while this monitor is flapping.',
  maintenance: 'Nobody is notified while this monitor is in maintenance.',
  paused: 'Nobody is notified while this monitor is paused.',
};

/** Who is notified if a monitor goes down now, or a warning that nobody is. */
export function MonitorListeners({ id, listeners }: Props) {
  const notified = listeners.filter((listener) => listener.notified);
  const quiet = listeners.flatMap(({ reason }) => QUIET[reason] ?? [])[0];
  return (
    <Section
      title="Who is notified"
      gap="gap-2"
      aside={
        <TextLink isAlone href={`/notifications?monitor=${id}`}>
          Preview
        </TextLink>
      }
    >
      {notified.length > 0 ? (
        <ul className="flex flex-wrap gap-x-5 gap-y-1.5 rounded-lg border border-line bg-surface px-3 py-2.5 text-sm">
          {notified.map((listener) => (
            <li key={listener.id} className="flex min-w-0 items-center gap-1.5">
              <Icon type={listener.type} />
              <TextLink isAlone href={listenerHref(listener)}>
                {listener.name}
              </TextLink>
            </li>
          ))}
        </ul>
      ) : (
        <Banner tone={quiet === undefined ? 'slow' : 'note'}>
          {quiet ?? 'Nobody is notified about this monitor. '}
          {quiet === undefined ? <TextLink href="/notifications">Set up notifications</TextLink> : null}
        </Banner>
      )}
    </Section>
  );
}

function Icon({ type }: Pick<ShownListener, 'type'>) {
  const Shape = type === 'webhook' ? Bell : Mail;
  return (
    <Shape className="size-4 shrink-0 text-muted" aria-label={type === 'webhook' ? 'Channel' : 'Email'} />
  );
}
