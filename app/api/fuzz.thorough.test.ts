import { borrowTenant } from './testing/borrow-tenant';
import { describeFuzz } from './testing/fuzz';

/**
 * `VITE_FUZZ_SEED=… VITE_FUZZ_RUNS=… npm run test:unit -- app/api/fuzz.thorough.test.ts` uses another seed, or more runs;
 * `VITE_FUZZ_STRIDE=1` every hostile value in every field.
 */
const {
  VITE_FUZZ_SEED = '20270131',
  VITE_FUZZ_RUNS = '4',
  VITE_FUZZ_STRIDE = '6',
} = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env ?? {};

// Over HTTP: all of it also passes the server and the router.
describeFuzz(borrowTenant(), {
  seed: Number(VITE_FUZZ_SEED),
  runs: Number(VITE_FUZZ_RUNS),
  stride: Number(VITE_FUZZ_STRIDE),
});
