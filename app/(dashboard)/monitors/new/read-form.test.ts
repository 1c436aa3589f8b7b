import { describe, expect, it } from 'vitest';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { initialValues } from './initial-values';
import { readMonitorForm } from './read-form';

/** The form as it opens, with some fields changed; null leaves a field (or a tick) out. */
function sent(changes: Record<string, string | null> = {}): FormData {
  const form = new FormData();
  const values = { ...initialValues({}), name: 'Shop', url: 'https://example.test/', ...changes };
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && !(value === '' && ['enabled', 'tlsVerify', 'followRedirects'].includes(name)))
      form.set(name, value);
  }
  return form;
}

const read = (changes?: Record<string, string | null>) =>
  parseInput(createMonitorSchema, readMonitorForm(sent(changes)));

describe('the form of a new monitor', () => {
  it('opens with what the API takes as defaults', () => {
    expect(read()).toEqual(parseInput(createMonitorSchema, { name: 'Shop', url: 'https://example.test/' }));
  });

  it('sends for a tcp monitor nothing that only http has', () => {
    const input = readMonitorForm(
      sent({ type: 'tcp', url: 'db.test:5432', keyword: 'left over', method: null }),
    );
    expect(input).not.toHaveProperty('keyword');
    expect(input).not.toHaveProperty('method');
    expect(parseInput(createMonitorSchema, input).type).toBe('tcp');
  });

  it('reads headers line by line', () => {
    const headers = 'Accept: text/plain\r\n\r\nX-Time: 10:30\n';
    expect(read({ headers }).headers).toEqual({ Accept: 'text/plain', 'X-Time': '10:30' });
  });

  it.each(['no colon', ': no name', 'a b: space in the name', 'X: 1\nX: 2'])(
    'refuses the headers %j',
    (headers) => {
      expect(() => read({ headers })).toThrow('headers');
    },
  );

  it('sends a body with the line breaks that were typed', () => {
    expect(read({ method: 'POST', body: '{\r\n}' }).body).toBe('{\n}');
  });

  it('leaves what is no number to the schema, which names the field', () => {
    expect(() => read({ timeout: 'soon' })).toThrow('timeout');
    expect(() => read({ timeout: '' })).toThrow('timeout');
  });

  it('takes an unticked box as no', () => {
    expect(read({ followRedirects: null, enabled: null })).toMatchObject({
      followRedirects: false,
      enabled: false,
    });
  });
});
