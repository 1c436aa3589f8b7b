import { TextLink } from '@/components/ui/text-link';
import type { DeliverySubject as Subject } from '@/lib/schemas/webhooks/delivery';

const PATHS: Record<Subject['type'], string> = { monitor: '/monitors', incident: '/incidents' };

/** The name of what a delivery is about: a link while it exists. */
export function DeliverySubject({ subject }: { subject: Subject | null }) {
  if (subject === null) return <span className="text-muted">Test</span>;
  const { type, id, name, deleted } = subject;
  if (deleted) return <span title={`The ${type} was deleted`}>{name}</span>;
  return (
    <TextLink isAlone href={`${PATHS[type]}/${id}`}>
      {name}
    </TextLink>
  );
}
