import { describe, expect, it } from 'vitest';
import { SILENT_REGION } from '@/lib/state/region';
import { certificateEnd } from './read-results';

const seen = (certificateExpiresAt: number | null) => ({
  ...SILENT_REGION,
  latest: { kind: 'good' as const, responseTime: 1, statusCode: 200, certificateExpiresAt, error: null },
});

describe('the end of a certificate', () => {
  it('is the earliest that any region sees', () => {
    const [soon, later] = [Date.parse('2026-04-01T00:00:00Z'), Date.parse('2026-05-01T00:00:00Z')];
    expect(certificateEnd({ regions: { us: seen(later), eu: seen(soon) } })).toEqual(new Date(soon));
  });

  it('is unknown without a check or certificate', () => {
    expect(certificateEnd({ regions: {} })).toBeNull();
    expect(certificateEnd({ regions: { us: SILENT_REGION, eu: seen(null) } })).toBeNull();
  });
});
