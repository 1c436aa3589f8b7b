import { statuspageResource } from '@/app/status/statuspage-resource';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = statuspageResource(
  'scheduled-maintenances/active.json',
);
