import { shareWithServer } from '@/lib/web/http/process-shared';
import { statusPages } from '../operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = statusPages['/status-pages/public'];

shareWithServer('/api/status-pages/public', GET);
