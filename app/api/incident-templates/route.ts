import { incidentTemplates } from './operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = incidentTemplates['/incident-templates'];
