import { parseJson } from '@/lib/core/parse-json';
import {
  type Authentication,
  hideAuthentication,
  SECRET_PARTS,
} from '@/lib/schemas/monitor/authentication-parts';

/** An input of a method. */
type PartInput = { part: string; label: string; isSecret: boolean; placeholder?: string; hint?: string };

const input = (
  part: string,
  label: string,
  more: Pick<PartInput, 'placeholder' | 'hint'> = {},
): PartInput => {
  const secrets: readonly string[] = Object.values(SECRET_PARTS);
  return { part, label, isSecret: secrets.includes(part), ...more };
};

const ACCOUNT = [input('username', 'User name'), input('password', 'Password')];

/** The inputs of each method. */
export const AUTHENTICATION_INPUTS: Readonly<Record<string, readonly PartInput[]>> = {
  basic: ACCOUNT,
  bearer: [input('token', 'Token')],
  digest: ACCOUNT,
  oauth2: [
    input('tokenUrl', 'Token endpoint', { placeholder: 'https://login.example.com/oauth2/token' }),
    input('scope', 'Scope', { hint: 'Separated by spaces. Leave empty for the default of the client.' }),
    input('clientId', 'Client ID'),
    input('clientSecret', 'Client secret'),
  ],
};

/** What is typed, also for methods that are not selected. */
type TypedAuthentication = Readonly<Record<string, string>>;

/** The value of the hidden field: an authentication as JSON, empty for none. Values of other methods are left out. */
export function showAuthentication(typed: TypedAuthentication): string {
  const { method = '' } = typed;
  const inputs = AUTHENTICATION_INPUTS[method];
  if (inputs === undefined) return '';
  const parts = inputs.map(({ part }) => [part, readPart(part, typed[part] ?? '')]);
  return JSON.stringify({ method, ...Object.fromEntries(parts) });
}

function readPart(part: string, text: string): string | null {
  return part === 'scope' ? text.trim() || null : text;
}

/** The parts of a value of the hidden field. */
export function readAuthentication(value: string): TypedAuthentication {
  const parts = Object.entries(Object(parseAuthentication(value)));
  return Object.fromEntries(parts.map(([part, text]) => [part, String(text ?? '')]));
}

/** The value of the hidden field as the API takes it. What is not JSON stays text, which the schema rejects. */
export function parseAuthentication(value: string): unknown {
  try {
    return parseJson(value || 'null');
  } catch {
    return value;
  }
}

/** A stored authentication as the value of the hidden field, without its secret. */
export function showStored(value: unknown): string {
  return JSON.stringify(hideAuthentication(value as Authentication));
}
