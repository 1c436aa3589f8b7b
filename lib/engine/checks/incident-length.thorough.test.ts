import './incident-length.test';
