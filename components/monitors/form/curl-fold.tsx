import { CodeBlock } from '@/components/ui/code-block';
import { Fold } from '@/components/ui/fold';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { FormField } from '@/lib/schemas/monitor/fields';
import { asCurl } from './as-curl';
import { changedInput, readMonitorInput, type Typed } from './monitor-input';

type Props = {
  fields: readonly FormField[];
  typed: Typed;
  /** What need not be said: the defaults of a new monitor, or the monitor as it is. */
  known: Typed;
  /** The monitor that is changed; null for a new one. */
  id: string | null;
  baseUrl: string;
};

/** The call of the API that does what sending the form would do. */
export function CurlFold({ fields, typed, known, id, baseUrl }: Props) {
  const input = readMonitorInput(fields, typed);
  const changed = changedInput(readMonitorInput(fields, known), input);
  const url = `${baseUrl}/api/monitors`;
  const command =
    id === null
      ? asCurl({ method: 'POST', url, body: { name: input.name, url: input.url, ...changed } })
      : asCurl({ method: 'PUT', url: `${url}/${id}`, body: changed });
  const isEmpty = id !== null && Object.keys(changed).length === 0;
  return (
    <Fold title="As curl" hint="the call of the API that this form makes">
      {isEmpty ? (
        <p className="text-muted">Nothing is changed yet.</p>
      ) : (
        <CodeBlock text={command} label="Copy the command" />
      )}
      {command.includes(HIDDEN) ? (
        <p className="text-xs text-muted">Replace [hidden] with the values of the headers.</p>
      ) : null}
    </Fold>
  );
}
