import './foreign-text.test';
