import { createTokenFormat } from '@/lib/core/token-format';

/** API keys: `ph_live_` and 38 characters. */
export const {
  generate: generateApiKey,
  isWellFormed: isWellFormedApiKey,
  hash: hashApiKey,
  hint: apiKeyHint,
} = createTokenFormat('ph_live_');
