import { addScheme } from '@/lib/core/addresses';
import { DomainError } from '@/lib/core/errors';
import { splitList } from '@/lib/core/text';
import { nameOfTarget } from '@/lib/importing/plan/targets';
import { MAX_BULK_MONITORS } from '@/lib/schemas/monitor/bulk';
import { suggestedValues } from '@/lib/schemas/monitor/fields';

/** The unvalidated bodies of the monitors of a list of URLs, one per line; `https://` is added where a line has no scheme. */
export function readUrls(text: string): Record<string, unknown>[] {
  return splitList(text, '\n', MAX_BULK_MONITORS).map((line) => {
    const url = addScheme(line) ?? line;
    return { ...suggestedValues, name: nameOfTarget(url).slice(0, 100), url };
  });
}

/** An error of the monitors of a list as one of the field in which the list was typed, such as `Line 2: must be an http or https URL.` */
export function errorOfUrls({ code, message, details = [] }: DomainError): DomainError {
  const [detail] = details;
  const line = /^monitors\.(\d+)\.url$/.exec(detail?.path ?? '')?.[1];
  if (detail?.path === 'monitors') return ofField(code, 'must not be empty');
  return detail === undefined || line === undefined
    ? new DomainError(code, message)
    : ofField(code, `Line ${Number(line) + 1}: ${detail.message}.`);
}

function ofField(code: DomainError['code'], message: string): DomainError {
  return new DomainError(code, 'The request is not valid: urls.', [
    { path: 'urls', code: 'invalid', message },
  ]);
}
