import { CodeBlock } from '@/components/ui/code-block';
import { Fold } from '@/components/ui/fold';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { FormField } from '@/lib/schemas/monitor/fields';
import { formatCurl } from '../curl-commands';
import { changedInput, readMonitorInput, type Typed } from './monitor-input';

type Props = {
  fields: readonly FormField[];
  typed: Typed;
  /** Values to leave out: the defaults of a new monitor, or the current values. */
  known: Typed;
  /** Null for a new monitor. */
  id: string | null;
  baseUrl: string;
};

/** The API call equivalent to submitting the form. */
export function CurlFold({ fields, typed, known, id, baseUrl }: Props) {
  const input = readMonitorInput(fields, typed);
  const changed = changedInput(readMonitorInput(fields, known), input);
  const url = `${baseUrl}/api/monitors`;
  const command =
    id === null
      ? formatCurl({
          method: 'POST',
          url,
          body: { name: input.name, ...(input.url === undefined ? {} : { url: input.url }), ...changed },
        })
      : formatCurl({ method: 'PUT', url: `${url}/${id}`, body: changed });
  const isEmpty = id !== null && Object.keys(changed).length === 0;
  return (
    <Fold title="As curl" hint="the API call for this form">
      {isEmpty ? (
        <p className="text-muted">No changes yet.</p>
      ) : (
        <CodeBlock text={command} label="Copy command" />
      )}
      {command.includes(HIDDEN) ? (
        <p className="text-xs text-muted">Replace [hidden] with the header values.</p>
      ) : null}
    </Fold>
  );
}
