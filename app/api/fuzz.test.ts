import { borrowTenant } from './testing/borrow-tenant';
import { describeFuzz } from './testing/fuzz';
import { NASTIEST_TEXTS } from './testing/hostile';

// Each field gets one hostile value, and each value is in some fields: they all share the same schemas.
describeFuzz(borrowTenant({ inProcess: true }), { seed: 20270131, runs: 2, stride: NASTIEST_TEXTS.length });
