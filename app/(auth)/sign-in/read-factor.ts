import 'server-only';
import { parseJson } from '@/lib/core/parse-json';
import type { FactorProof } from '@/lib/domain/people/second-factor/use-second-factor';
import { factorCodeSchema } from '@/lib/schemas/people';
import { passkeyUseSchema } from '@/lib/schemas/sign-in/passkeys';
import { parseInput } from '@/lib/schemas/validation';
import { readPasskeyUse } from '@/lib/web/http/sign-in/visitor-passkeys';

/** The second factor of a form: what a passkey returned, or else a code. Throws VALIDATION_ERROR. */
export async function readFactor(form: FormData): Promise<FactorProof> {
  const passkey = form.get('passkey');
  if (typeof passkey === 'string') {
    return { passkey: await readPasskeyUse(parseInput(passkeyUseSchema, parseJson(passkey))) };
  }
  const { code } = parseInput(factorCodeSchema, { code: form.get('code') });
  return { code };
}
