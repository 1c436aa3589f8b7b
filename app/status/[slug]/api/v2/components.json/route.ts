import { statuspageResource } from '@/app/status/statuspage-resource';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = statuspageResource('components.json');
