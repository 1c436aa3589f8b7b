import { ChevronRight } from 'lucide-react';
import { CheckField, TextArea, TextField } from '@/components/ui/field';

type Props = { isHttp: boolean; values: Record<string, string>; errors: Record<string, string> };

/** What most monitors never need, folded away; it opens by itself when one of its fields is refused. */
export function MoreOptions({ isHttp, values, errors }: Props) {
  const bind = (name: string) => ({ name, defaultValue: values[name], error: errors[name] });
  const tick = (name: string) => ({ name, defaultChecked: values[name] === 'on', error: errors[name] });
  return (
    <details className="group rounded-lg border border-line bg-surface">
      <summary className="flex list-none items-center gap-1.5 rounded-lg px-3 py-2.5 font-medium hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 text-muted transition-transform group-open:rotate-90"
          aria-hidden="true"
        />
        More options
      </summary>
      <div className="flex flex-col gap-4 border-t border-line px-4 py-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...bind('recoveryThreshold')}
            label="Recover after"
            unit="×"
            inputMode="numeric"
            hint="Good checks in a row before it counts as up."
          />
          <TextField
            {...bind('degradedThreshold')}
            label="Slow above"
            unit="ms"
            inputMode="numeric"
            hint="Slower answers count as degraded."
          />
        </div>
        {isHttp ? (
          <>
            <TextField {...bind('keyword')} label="Keyword" hint="Text that the body must contain." />
            <TextArea
              {...bind('headers')}
              label="Headers"
              placeholder={'Accept: application/json\nX-Token: …'}
              hint="One a line, Name: value. Stored encrypted."
            />
            <TextArea {...bind('body')} label="Body" hint="Not with GET or HEAD. Stored encrypted." />
            <TextField
              {...bind('tlsExpiryDays')}
              label="Certificate warning"
              unit="d"
              inputMode="numeric"
              hint="Degraded when the certificate ends within so many days. Empty: no warning."
            />
            <CheckField {...tick('followRedirects')} label="Follow redirects" hint="At most 5." />
            <CheckField {...tick('tlsVerify')} label="Verify the certificate" />
          </>
        ) : null}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...bind('tags')}
            label="Tags"
            placeholder="shop, production"
            hint="Separated by commas."
          />
          <TextField
            {...bind('ref')}
            label="Reference"
            hint="Your own id of it, unique among your monitors."
          />
        </div>
        <CheckField {...tick('enabled')} label="Begin to check at once" hint="Otherwise it starts paused." />
      </div>
    </details>
  );
}
