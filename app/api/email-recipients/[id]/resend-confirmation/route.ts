import { emailRecipients } from '../../operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =
  emailRecipients['/email-recipients/{id}/resend-confirmation'];
