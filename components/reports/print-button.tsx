'use client';

import { Printer } from 'lucide-react';
import { Button } from '@/components/ui/button';

/** Opens the print dialog of the browser, which can also save a PDF. */
export function PrintButton() {
  return (
    <Button icon={<Printer />} onClick={() => window.print()}>
      Print
    </Button>
  );
}
