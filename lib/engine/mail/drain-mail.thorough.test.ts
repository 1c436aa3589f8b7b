import './drain-mail.test';
