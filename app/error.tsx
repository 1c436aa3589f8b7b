'use client';

import { LoadError } from '@/components/shell/load-error';

export default LoadError;
